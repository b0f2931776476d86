// What a watcher of a running generation costs the server: memory for each socket and CPU for each piece, compared with
// a bare node:http server that writes the same bytes to everyone.
// npm run build && node bench/server/watchers.mjs [--quick]
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serve } from '../../dist/mock/http.js';
import { createMockServer } from '../../dist/mock/index.js';

const PIECES = 20;
const quick = process.argv.includes('--quick');
const watchers = quick ? 1_000 : 10_000;
const text = 'eight ch';
const path = '/api/ai/content/generate';

/** Each returns its address, the request of a watcher, and how a piece is sent to all. */
const servers = {
  'node:http': async () => {
    const readers = new Set();
    let id = 1;
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('id: 1\nevent: generation.started\ndata: {"requestId":"gen_1"}\n\n');
      readers.add(response);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const send = () => {
      id += 1;
      const data = JSON.stringify({ requestId: 'gen_1', delta: text });
      for (const response of readers) {
        response.write(`id: ${id}\nevent: generation.delta\ndata: ${data}\n\n`);
      }
    };
    return { port: server.address().port, path: `${path}/gen_1`, apiKey: 'none', send };
  },
  contentgen: async () => {
    let wake;
    const mock = createMockServer({
      async *generator() {
        for (;;) {
          await new Promise((resolve) => {
            wake = resolve;
          });
          yield text;
        }
      },
    });
    const { url } = await serve(mock, { port: 0 });
    const { port } = new URL(url);
    const headers = { 'x-api-key': mock.adminKey, 'content-type': 'application/json' };
    const body = JSON.stringify({ prompt: 'p', stream: true });
    const begun = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    const reader = begun.body.getReader();
    const { value } = await reader.read();
    const [id] = /gen_\w+/.exec(new TextDecoder().decode(value));
    return { port, path: `${path}/${id}`, apiKey: mock.adminKey, send: () => wake() };
  },
};

const [, , role] = process.argv;
if (Object.hasOwn(servers, role)) await serveAs(role);
else await compare();

async function serveAs(name) {
  const { send, ...address } = await servers[name]();
  const measure = () => {
    globalThis.gc();
    return { memory: process.memoryUsage.rss(), cpu: process.cpuUsage() };
  };
  process.on('message', (message) => {
    if (message === 'send') send();
    else process.send(measure());
  });
  process.send(address);
}

async function compare() {
  const rows = {};
  for (const name of Object.keys(servers)) {
    const child = fork(fileURLToPath(import.meta.url), [name], { execArgv: ['--expose-gc'] });
    child.on('exit', (code) => code && process.exit(1));
    const reply = () => new Promise((resolve) => child.once('message', resolve));
    const ask = () => {
      const replied = reply();
      child.send('measure');
      return replied;
    };
    const { port, path, apiKey } = await reply();
    const request = `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nx-api-key: ${apiKey}\r\n\r\n`;
    let arrived = 0;
    const sockets = [];
    let reached = () => {};
    let goal = 0;
    const open = () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      socket.on('error', (error) => {
        throw error;
      });
      socket.on('data', (bytes) => {
        const [, status = '200'] = /^HTTP\/1.1 (\d+)/.exec(bytes.toString('latin1')) ?? [];
        if (status !== '200') throw new Error(`${name} responded ${status}.`);
        // One brace for each event, however the bytes are cut.
        arrived += bytes.toString('latin1').split('{').length - 1;
        if (arrived >= goal) reached();
      });
      sockets.push(socket);
    };
    /** Waits until that many events have arrived, over all sockets. */
    const until = (count) =>
      new Promise((resolve) => {
        goal = count;
        reached = resolve;
        if (arrived >= goal) resolve();
      });
    const before = await ask();
    while (sockets.length < watchers) {
      for (let each = 0; each < 100; each += 1) open();
      await until(sockets.length);
    }
    const after = await ask();
    for (let piece = 1; piece <= PIECES; piece += 1) {
      const all = until(watchers * (piece + 1));
      child.send('send');
      await all;
    }
    const { cpu } = await ask();
    const spent = cpu.user + cpu.system - after.cpu.user - after.cpu.system;
    rows[name] = [(after.memory - before.memory) / 1024 / watchers, spent / watchers / PIECES];
    for (const socket of sockets) socket.destroy();
    child.kill();
  }
  const [bare] = Object.values(rows);
  console.log(
    '| server | kB for each watcher | ratio | CPU µs for each piece and watcher | ratio |',
  );
  console.log('| --- | --: | --: | --: | --: |');
  for (const [name, [memory, cpu]] of Object.entries(rows)) {
    const figures = [memory, memory / bare[0], cpu, cpu / bare[1]].map((n) => n.toFixed(1));
    console.log(`| ${[name, ...figures].join(' | ')} |`);
  }
}
