import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** The sender gives up after 15 s, so a later response would not count. */
const FORWARD_MS = 14_500;
/** The sender reads only this much of a response. */
const MAX_RESPONSE_BYTES = 16 * 1024;
/** Headers of the incoming connection. The outgoing one gets its own. */
const DROPPED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the receiver responded, or why it could not be reached. */
export interface Forwarded {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string;
  /** The system's code, for instance `ECONNREFUSED`. */
  readonly error?: string;
  readonly durationMs: number;
}

/** Sends the same bytes with the same headers, so that the signature stays valid. Never rejects. */
export async function forward(target: URL, message: Message): Promise<Forwarded> {
  const started = performance.now();
  const outcome = await send(target, message).catch(unreachable(target));
  return { ...outcome, durationMs: Math.round(performance.now() - started) };
}

type Outcome = Omit<Forwarded, 'durationMs'>;

function send(target: URL, { headers: given, body: text }: Message): Promise<Outcome> {
  const body = Buffer.from(text);
  const headers: OutgoingHttpHeaders = { 'content-length': body.length };
  for (const [name, value] of Object.entries(given)) {
    if (!DROPPED.has(name)) headers[name] = value;
  }
  const open = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(FORWARD_MS);
  return new Promise((resolve, reject) => {
    const outgoing = open(target, { method: 'POST', headers, signal }, (response) => {
      readText(response).then((received) => {
        const { statusCode: status = 502, headers: got } = response;
        const retryAfter = got['retry-after'];
        resolve({ status, body: received, ...(retryAfter && { retryAfter }) });
      }, reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function unreachable(target: URL): (error: NodeJS.ErrnoException) => Outcome {
  return ({ name, code, message }) => {
    const error = name === 'AbortError' || name === 'TimeoutError' ? 'timeout' : (code ?? message);
    return {
      status: 502,
      body: `contentgen listen failed to reach ${target.origin}: ${error}`,
      error,
    };
  };
}

/** The start of a response's body. */
async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_RESPONSE_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString();
}
