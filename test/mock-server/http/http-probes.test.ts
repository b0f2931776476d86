import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';
import { sendRaw } from '../../support/send-raw.ts';

let mock: MockServer;
let server: Awaited<ReturnType<typeof serve>>;
let token: string;
beforeAll(async () => {
  mock = createMockServer({ clock: 'manual', seed: 1 });
  server = await serve(mock, { port: 0, dashboard: false });
  token = await mock.issueToken({ role: 'member' });
});
afterAll(async () => {
  await server.close({ graceMs: 0 });
  await mock.close();
});

const usage = '/api/usage';
const generate = '/api/ai/content/generate';
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const body = '{"prompt":"p"}';
const length = `Content-Length: ${body.length}`;

/** With a good key, and closed after its response, unless the lines say otherwise. */
function request(line: string, ...lines: string[]): string {
  const host = lines.some((one) => /^host *:/i.test(one)) ? [] : ['Host: localhost'];
  const close = lines.some((one) => one.startsWith('Connection:')) ? [] : ['Connection: close'];
  return `${[line, ...host, 'X-API-Key: KEY', ...close, ...lines].join('\r\n')}\r\n\r\n`;
}
const get = (target: string, ...lines: string[]) => request(`GET ${target} HTTP/1.1`, ...lines);
const bearing = (...tokens: string[]) => {
  const lines = tokens.map((one) => `Authorization: Bearer ${one}`);
  return get(usage, ...lines).replace('X-API-Key: KEY\r\n', '');
};
const post = (...lines: string[]) => request(`POST ${generate} HTTP/1.1`, json, ...lines);
const inChunks = (header: string, size = 'e', end = '0\r\n\r\n') =>
  `${post(header)}${size}\r\n${body}\r\n${end}`;

/** `statuses`: of all responses; empty if the connection ends without one. `because`: why it is not what the RFCs say. */
type Probe = [name: string, bytes: string, statuses: string, because?: string];
const parser = "Node's parser decides";
const literal = 'only `Host` and path as they are sent count, as at most gateways';

const probes: Probe[] = [
  // The request line (RFC 9112, section 3).
  ['a request', get(usage), '200'],
  ['HTTP/1.0 without Host', `GET ${usage} HTTP/1.0\r\nX-API-Key: KEY\r\n\r\n`, '200'],
  ['only LF', get(usage).replaceAll('\r\n', '\n'), '400'],
  ['a method in lower case', request(`get ${usage} HTTP/1.1`), '400', `501; ${parser}`],
  ['TRACE', request(`TRACE ${usage} HTTP/1.1`), '405'],
  ['CONNECT', request('CONNECT localhost:80 HTTP/1.1'), '', `405; ${parser}`],
  ['a method override', get(usage, 'X-HTTP-Method-Override: DELETE'), '200'],
  // The target.
  ['an absolute target', get(`http://evil.example${usage}`), '200'],
  ['two slashes', get(`//evil.example${usage}`), '404'],
  ['a backslash', get(`/\\evil.example${usage}`), '404'],
  ['an encoded slash', get('/api%2Fusage'), '404'],
  ['an encoded letter', get('/api/us%61ge'), '404', `200; ${literal}`],
  ['an encoded NUL', get('/api/usage%00'), '404'],
  // Host (RFC 9112, section 3.2).
  ['no Host', `GET ${usage} HTTP/1.1\r\nX-API-Key: KEY\r\nConnection: close\r\n\r\n`, '400'],
  ['two Hosts', get(usage, 'Host: a', 'host: b'), '400'],
  ...['', 'evil example', 'a:99999', '[::1', '%00'].flatMap((host): Probe[] => [
    [`the Host "${host}"`, get(usage, `Host: ${host}`), '200', `400 if malformed; ${literal}`],
    [`the Host "${host}" for control`, get('/_control/stream', `Host: ${host}`), '403'],
  ]),
  // Fields (RFC 9110, section 5; RFC 9112, section 5).
  ['a field without a colon', get(usage, 'X-Broken'), '400'],
  ['a space before the colon', get(usage, 'X-Broken : a'), '400'],
  ['a folded field', get(usage, 'X-Folded: a\r\n b'), '400'],
  ['a NUL in a value', get(usage, 'X-Nul: a\0b'), '400'],
  ['a CR in a value', get(usage, 'X-Cr: a\rb'), '400'],
  ['a key twice', get(usage, 'X-API-Key: KEY'), '401'],
  ['a token', bearing('TOKEN'), '200'],
  ['a token twice', bearing('TOKEN', 'TOKEN'), '401'],
  // The length of a body (RFC 9112, section 6).
  ['a length', post(length) + body, '200'],
  ['two equal lengths', post(length, length) + body, '400'],
  ['two lengths', post(length, 'Content-Length: 3') + body, '400'],
  ...['-1', '+14', '0xe', '', '14, 14', '9'.repeat(30)].map(
    (value): Probe => [`the length "${value}"`, post(`Content-Length: ${value}`) + body, '400'],
  ),
  ['a length, and in the same head chunks', post(length, chunked) + body, '400'],
  ['chunks, and in the same head a length', post(chunked, length) + body, '400'],
  ['chunks', inChunks(chunked), '200'],
  ['trailers, which are dropped', inChunks(chunked, 'e', '0\r\nX-API-Key: other\r\n\r\n'), '200'],
  ...['z', '3', '-e', 'f'.repeat(18)].map(
    (size): Probe => [`a chunk of size "${size}"`, inChunks(chunked, size), '400'],
  ),
  ['chunks with only LF', `${post(chunked)}e\n${body}\n0\n\n`, '400'],
  ...['chunked, chunked', 'identity', 'xchunked', 'chunked, identity'].map(
    (coding): Probe => [`the coding "${coding}"`, inChunks(`Transfer-Encoding: ${coding}`), '400'],
  ),
  ['a body of GET', get(usage, length) + body, '200'],
  // Connections, expectations and negotiation.
  ['two requests', get(usage, 'Connection: keep-alive') + get(usage), '200 200'],
  [
    'a request behind the body of GET',
    `${get(usage, 'Connection: keep-alive', 'Content-Length: 3')}abc${get(usage)}`,
    '200 200',
  ],
  ['Expect: 100-continue', post(length, 'Expect: 100-continue') + body, '100 200'],
];

test.each(probes)('%s', async (_name, bytes, statuses) => {
  const sent = bytes.replaceAll('KEY', mock.memberKey).replaceAll('TOKEN', token);
  const response = await sendRaw(server.port, sent);
  const all = [...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(all.join(' ')).toBe(statuses);
});
