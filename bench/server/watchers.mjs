// What each of many watchers of one generation costs the standalone server, beside a bare node:http server that writes
// the same bytes to as many sockets. npm run build && node bench/server/watchers.mjs [--quick]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const quick = process.argv.includes('--quick');
const watchers = quick ? 1_000 : 10_000;
const generationMs = quick ? 10_000 : 60_000;
const TICKS_PER_SECOND = 100;
const cli = fileURLToPath(new URL('../../dist/mock/cli.js', import.meta.url));
const mock = [
  cli,
  'mock',
  '--port',
  '0',
  '--json',
  '--log',
  'none',
  '--processing-time',
  generationMs,
];

/** Opens a stream for each request; what comes on standard input goes to all of them. */
const bare = `
  const open = new Set();
  const server = require('node:http').createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    open.add(response);
  });
  process.stdin.setEncoding('utf8').on('data', (text) => { for (const each of open) each.write(text); });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port })));
`;

console.log(`| server, ${watchers} watchers | kB for each | CPU µs for each event and watcher |`);
console.log('| --- | --: | --: |');
const { events } = await measure('contentgen mock', mock, async ({ url, adminKey }) => {
  const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'A story', webhookUrl: 'http://127.0.0.1:9/' });
  const response = await fetch(`${url}/api/ai/content/generate`, { method: 'POST', headers, body });
  const { requestId } = await response.json();
  return `/api/ai/content/generate/${requestId} HTTP/1.1\r\nx-api-key: ${adminKey}`;
});
await measure('bare node:http', ['-e', bare], () => '/ HTTP/1.1', events);

/** Runs a server, has its stream watched, and prints a row. Without `texts`, the server sends its own events. */
async function measure(name, command, prepare, texts) {
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const started = JSON.parse(line.split('\n', 1)[0]);
  const request = await prepare(started);
  const sockets = [];
  const seen = [];
  await sleep(500);
  const empty = memoryOf(child.pid);
  while (sockets.length < watchers) sockets.push(await watch(started.url, request));
  await sleep(1000);
  const each = (memoryOf(child.pid) - empty) / watchers;
  const [first] = sockets;
  first.setEncoding('utf8').on('data', (text) => seen.push(text));
  const before = cpuOf(child.pid);
  if (texts) {
    for (const text of texts) {
      child.stdin.write(text);
      await once(first, 'data');
    }
  } else while (!seen.join('').includes('event: generation.completed')) await once(first, 'data');
  await sleep(500);
  const events = seen.join('').match(/event: .*\ndata: .*\n\n/g) ?? [];
  const micros = ((cpuOf(child.pid) - before) / TICKS_PER_SECOND / watchers / events.length) * 1e6;
  console.log(`| ${name} | ${each.toFixed(1)} | ${micros.toFixed(1)} |`);
  for (const socket of sockets) socket.destroy();
  child.kill('SIGKILL');
  return { events };
}

/** A socket that has received the head of the response. */
async function watch(url, request) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${request}\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
  await once(socket, 'data');
  return socket.resume();
}

function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
}

function cpuOf(pid) {
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(
    readFileSync(`/proc/${pid}/stat`, 'utf8'),
  );
  return Number(user) + Number(system);
}
process.exit();
