import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { assertContract, operationOf } from '../../support/contract.ts';
import { exampleSnapshot } from '../../support/example-snapshot.ts';

/**
 * The packed server with the example records, behind Prism's proxy, behind our own check. Every call to `url` is checked
 * twice. `take()` returns the calls since it was last called, each with its differences from the contract.
 */
export async function startCheckedServer({ command, prism, contract, folder }) {
  const { snapshot, adminKey, memberKey } = exampleSnapshot();
  const file = join(folder, 'snapshot.json');
  writeFileSync(file, JSON.stringify(snapshot));
  const server = start(process.execPath, [
    ...[command, 'mock', '--port', '0', '--json', '--log', 'none'],
    ...['--snapshot', file, '--processing-time', '0'],
  ]);
  const { url } = JSON.parse(await server.line(/^\{/));
  const proxyPort = await freePort();
  const proxy = start(process.execPath, [
    ...[prism, 'proxy', contract, url, '--port', String(proxyPort)],
  ]);
  await proxy.line(/Prism is listening/);
  const control = async (call, ...args) => {
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ call, args }) };
    const response = await fetch(`${url}/_control/call`, init);
    if (!response.ok) throw new Error(await response.text());
  };
  const calls = [];
  const checker = createServer((request, response) => {
    const withoutPrism = request.headers['x-without-prism'] !== undefined;
    delete request.headers['x-without-prism'];
    const upstream = withoutPrism ? url : `http://127.0.0.1:${proxyPort}`;
    forward(request, upstream, calls).then(
      async (reply) => {
        response.writeHead(reply.status, reply.headers);
        response.end(Buffer.from(await reply.arrayBuffer()));
      },
      (error) => response.destroy(error),
    );
  });
  checker.listen(0, '127.0.0.1');
  await once(checker, 'listening');
  return {
    url: `http://127.0.0.1:${checker.address().port}`,
    apiKey: adminKey,
    memberKey,
    control,
    /** Restores the example records. */
    reset: () => control('reset'),
    take: () => calls.splice(0),
    async close() {
      checker.closeAllConnections();
      checker.close();
      await Promise.all([proxy.end(), server.end()]);
    },
  };
}

/** Forwards a call and records it. */
async function forward(incoming, upstream, calls) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (!HOP_BY_HOP.has(name)) headers.set(name, String(value));
  }
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
  const request = new Request(upstream + incoming.url, { method, headers, body });
  // A kept connection can be closed just as it is used again.
  const response = await fetch(request.clone()).catch(() => fetch(request.clone()));
  const { pathname } = new URL(request.url);
  const faults = [];
  try {
    await assertContract(request, response);
  } catch (error) {
    faults.push(error.message);
  }
  faults.push(...prismViolations(response));
  const operation = operationOf(method, pathname);
  calls.push({ operation, method, path: incoming.url, status: response.status, faults });
  // Node's fetch has decoded the body.
  const replyHeaders = Object.fromEntries(
    [...response.headers].filter(([name]) => !HOP_BY_HOP.has(name) && name !== 'content-encoding'),
  );
  return {
    status: response.status,
    headers: replyHeaders,
    arrayBuffer: () => response.arrayBuffer(),
  };
}

const HOP_BY_HOP = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding'],
]);

/** What Prism found wrong with the response. Faults in the request are the caller's. */
function prismViolations(response) {
  const found = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  return found
    .filter(({ location = [] }) => location[0] === 'response')
    .map(({ location, message }) => `Prism: ${location.join('.')}: ${message}`);
}

/** A process whose output is read line by line. */
function start(file, args) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'exit');
  return {
    async line(pattern) {
      const failed = ended.then(([code]) => {
        throw new Error(`${args[0]} ended with ${code}: ${errors}`);
      });
      failed.catch(() => {});
      const found = new Promise((resolve) => {
        lines.on('line', (line) => {
          if (pattern.test(line)) resolve(line);
        });
      });
      return Promise.race([found, failed]);
    },
    async end() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function freePort() {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
