import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ContentGen } from '../../../src/index.ts';
import { baseUrlOf, DEFAULT_URL, printJson, withServer } from '../connection.ts';
import type { Terminal } from '../terminal.ts';
import { integerOf, readArguments, UsageError, urlOf } from '../usage.ts';
import { eventOf, SYSTEM_EVENTS, type SystemEventName } from './event-names.ts';

/** The sender waits 15 s; an answer after that would count for nothing. */
const FORWARD_MS = 14_500;
const MOST_BYTES = 1 << 20;
/** Belong to one connection, or are made anew by the next. */
const DROPPED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

interface Forwarded {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter?: string;
  readonly error?: string;
}

async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The same bytes under the same headers, so that the signature still holds. */
function forward(target: URL, request: IncomingMessage, body: Buffer): Promise<Forwarded> {
  const headers: OutgoingHttpHeaders = { 'content-length': body.length };
  for (const [name, value] of Object.entries(request.headers)) {
    if (!DROPPED.has(name)) headers[name] = value;
  }
  const open = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(FORWARD_MS);
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resolve({ status: 502, body: Buffer.alloc(0), error: error.code ?? error.message });
    const sent = open(target, { method: 'POST', headers, signal }, (response) => {
      read(response).then((answer) => {
        const { statusCode: status = 502, headers: got } = response;
        const retryAfter = got['retry-after'];
        resolve({ status, body: answer ?? Buffer.alloc(0), ...(retryAfter && { retryAfter }) });
      }, failed);
    });
    sent.once('error', failed);
    sent.end(body);
  });
}

function eventNameOf(body: Buffer): string {
  try {
    const payload = JSON.parse(body.toString()) as Record<string, unknown>;
    if (typeof payload['event'] === 'string') return payload['event'];
    return payload['error'] === undefined ? 'generation_completed' : 'generation_failed';
  } catch {
    return 'delivery';
  }
}

function report(
  terminal: Terminal,
  json: boolean,
  facts: { event: string; id: string; answer: Forwarded; durationMs: number },
): void {
  const { event, id, answer, durationMs } = facts;
  const { status, error } = answer;
  if (json) {
    printJson(terminal, { event, id, status, durationMs, ...(error ? { error } : {}) });
    return;
  }
  const good = status >= 200 && status < 300;
  const outcome = terminal.paint(good ? 'green' : 'red', error ?? String(status));
  terminal.out(`${event}  ${id}  → ${outcome}  ${terminal.paint('dim', `${durationMs} ms`)}`);
}

/** Tells `ids` of each registration at once: whatever fails after it, it is deleted. */
async function register(
  client: ContentGen,
  url: string,
  events: readonly SystemEventName[],
  given: string | undefined,
  ids: string[],
): Promise<void> {
  const secret = given ?? (await client.webhooks.getSigningSecret()).secret;
  for (const event of events) {
    const description = 'contentgen listen';
    ids.push((await client.webhooks.create({ event, url, secret, description })).id);
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

/** `contentgen listen`: hands the deliveries of a running server on to one of yours. */
export async function listen(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readArguments(argv, {
    'forward-to': { type: 'string' },
    event: { type: 'string', multiple: true },
    secret: { type: 'string' },
    port: { type: 'string', default: '0' },
    url: { type: 'string', default: DEFAULT_URL },
    json: { type: 'boolean', default: false },
  });
  const { json } = values;
  if (values['forward-to'] === undefined) throw new UsageError('--forward-to is missing.');
  const target = urlOf('--forward-to', values['forward-to']);
  const events = values.event?.map((name) => eventOf('--event', name)) ?? SYSTEM_EVENTS;
  const port = integerOf('--port', values.port, 0, 65_535);

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const body = await read(request);
    if (!body) return void response.writeHead(413).end();
    const started = performance.now();
    const answer = await forward(target, request, body);
    const { status, retryAfter } = answer;
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    response.end(answer.body);
    const durationMs = Math.round(performance.now() - started);
    const id = String(request.headers['webhook-id'] ?? '');
    report(terminal, json, { event: eventNameOf(body), id, answer, durationMs });
  }

  return withServer(baseUrlOf(values.url), async (connection) => {
    const client = await connection.client();
    const server = createServer((request, response) => {
      relay(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? new UsageError(`Port ${port} is in use.`) : error),
      );
      server.listen(port, '127.0.0.1', () => resolve());
    });
    const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const stopped = stopSignal();
    const ids: string[] = [];
    try {
      await register(client, local, events, values.secret, ids);
      if (json) printJson(terminal, { listening: local, forwardTo: target.href, webhooks: ids });
      else {
        terminal.out(`Forwarding ${events.join(', ')} to ${terminal.paint('cyan', target.href)}`);
        terminal.out(`Result callbacks too: give ${terminal.paint('cyan', local)} as webhookUrl.`);
      }
      await stopped;
    } finally {
      server.close();
      server.closeAllConnections();
      await Promise.allSettled(ids.map((id) => client.webhooks.delete(id)));
    }
    return 0;
  });
}
