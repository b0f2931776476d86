import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';

const isJson = (body: Buffer): boolean => {
  try {
    JSON.parse(`${body}`);
    return true;
  } catch {
    return false;
  }
};

function isValid(secret: string, fault: string, { headers }: IncomingMessage, body: Buffer) {
  const header = (name: string) => String(headers[name] ?? '');
  const [id, at, given] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ];
  if (fault === 'official') {
    try {
      return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>));
    } catch {
      return false;
    }
  }
  if (fault === 'no-header' && given === '') return true;
  if (!/^[\w-]+$/.test(id) || !/^\d+$/.test(at)) return false;
  const age = Date.now() / 1000 - Number(at);
  const isOld = age > 300 || (age < -300 && fault !== 'past-only');
  if (isOld && fault !== 'no-time') return false;
  const key = fault === 'secret-text' ? secret : Buffer.from(secret.slice(6), 'base64');
  if (fault === 'reparse' && !isJson(body)) return false;
  const signed =
    fault === 'trim'
      ? `${body}`.trim()
      : fault === 'reparse'
        ? JSON.stringify(JSON.parse(`${body}`))
        : body;
  const digest = createHmac('sha256', key).update(`${id}.${at}.`).update(signed).digest();
  const wanted = digest.toString('base64');
  const listed = given.split(' ').slice(0, 16);
  const entries = listed.filter((entry) => entry.startsWith('v1,')).map((entry) => entry.slice(3));
  return (fault === 'first-only' ? entries.slice(0, 1) : entries).some((entry) => {
    if (fault === 'prefix') return wanted.startsWith(entry);
    const [a, b] =
      fault === 'decoded'
        ? [Buffer.from(entry, 'base64'), digest]
        : [Buffer.from(entry), Buffer.from(wanted)];
    return a.length === b.length && timingSafeEqual(a, b);
  });
}

/** A receiver for each fault, by path: POST /FAULT, GET /FAULT/effects. Without a fault of that name it is right. */
export function nodeReceivers(secret: string): RequestListener {
  const seen = new Set<string>();
  const effects = new Map<string, number>();
  const receive = (fault: string, request: IncomingMessage, body: Buffer): number => {
    if (body.length > 1_048_576) return 413;
    if (!isValid(secret, fault, request, body)) return fault === 'answers-200' ? 200 : 400;
    if (!isJson(body)) return 422;
    const name = fault === 'by-signature' ? 'webhook-signature' : 'webhook-id';
    const mark = `${fault} ${request.headers[name]}`;
    if (!seen.has(mark) || fault === 'no-dedupe') effects.set(fault, (effects.get(fault) ?? 0) + 1);
    seen.add(mark);
    return 204;
  };
  return (request, response) => {
    const [, fault = '', rest] = (request.url ?? '').split('/');
    if (rest === 'effects') return void response.end(`${effects.get(fault) ?? 0}`);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      response.writeHead(receive(fault, request, Buffer.concat(chunks))).end(),
    );
    return undefined;
  };
}
