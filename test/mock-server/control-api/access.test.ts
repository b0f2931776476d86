import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessError } from '../../../mock-server/control-api/access.ts';
import { type ServedMock, serve } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';
import { sendRaw } from '../../support/send-raw.ts';

let mock: MockServer;
let server: ServedMock;
beforeAll(async () => {
  mock = createMockServer({ clock: 'manual', seed: 1 });
  server = await serve(mock, { port: 0 });
});
afterAll(async () => {
  await server.close({ graceMs: 0 });
  await mock.close();
});

const CALL = '{"call":"createOrganization"}';
const json = 'Content-Type: application/json';
const length = `Content-Length: ${CALL.length}`;
const evil = 'Host: evil.example';

/** From this machine, with its right `Host`, unless the lines say otherwise. */
function request(line: string, ...lines: string[]): string {
  const host = lines.some((one) => /^host *:/i.test(one)) ? [] : ['Host: localhost:PORT'];
  return `${[line, ...host, 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`;
}
const get = (target: string, ...lines: string[]) => request(`GET ${target} HTTP/1.1`, ...lines);
/** A call that would return keys, if the sender could make it. */
const call = (...lines: string[]) =>
  request('POST /_control/call HTTP/1.1', json, length, ...lines) + CALL;
/** What a page can send without asking: its body has a type that HTML forms can send. */
const simple = (type: string) =>
  request('POST /_control/call HTTP/1.1', ...(type ? [`Content-Type: ${type}`] : []), length) +
  CALL;
const inner = call('Host: localhost');
/** In the body of a request that anybody can make. */
const smuggled = (inner: string, ...lines: string[]) => {
  const outer = 'POST /api/ai/content/generate HTTP/1.1';
  return request(outer, evil, 'Content-Type: text/plain', ...lines) + inner;
};

/** Everything that a page, or what resolves a name to this machine, could send. */
const attacks: readonly (readonly [name: string, bytes: string])[] = [
  ...[
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.evil.example',
    'evil@localhost',
    'localhost@evil.example',
    'localhost/evil',
    'localhost.',
    'localhost:port',
    'localhost:123456',
    'localhost:80 evil.example',
    'localhost, evil.example',
    '10.0.0.1:4010',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '[::2]',
    '[::ffff:127.0.0.1]',
    '',
  ].map((host) => [`the Host "${host}" of a rebound name`, call(`Host: ${host}`)] as const),
  ['no Host', call().replace('Host: localhost:PORT\r\n', '')],
  ['no Host, in HTTP/1.0', call().replace('1.1', '1.0').replace('Host: localhost:PORT\r\n', '')],
  ['its own Host before a foreign one', call('Host: localhost:PORT', evil)],
  ['a foreign Host before its own', call(evil, 'Host: localhost:PORT')],
  ['X-Forwarded-Host', call(evil, 'X-Forwarded-Host: localhost')],
  ['Forwarded', call(evil, 'Forwarded: for=127.0.0.1;host=localhost')],
  ...[
    'http://evil.example',
    'https://evil.example',
    'http://localhost:3000',
    'http://127.0.0.1:PORT',
    'http://localhost:PORT.evil.example',
    'http://localhost:PORT@evil.example',
    'null',
    '',
  ].map((origin) => [`a page of the origin "${origin}"`, call(`Origin: ${origin}`)] as const),
  ['two origins', call('Origin: http://localhost:PORT', 'Origin: http://evil.example')],
  ...['cross-site', 'same-site'].map(
    (site) => [`what the browser marks as ${site}`, call(`Sec-Fetch-Site: ${site}`)] as const,
  ),
  ...[
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ].map((type) => [`a simple request of the type "${type}"`, simple(type)] as const),
  ['a call in the query', get('/_control/call?call=createOrganization')],
  [
    'an overridden method',
    get('/_control/call?call=createOrganization', 'X-HTTP-Method-Override: POST'),
  ],
  [
    'a preflight',
    request(
      'OPTIONS /_control/call HTTP/1.1',
      'Origin: http://evil.example',
      'Access-Control-Request-Method: POST',
    ),
  ],
  ['the stream under a foreign Host', get('/_control/stream', evil)],
  ['the head of the stream', request('HEAD /_control/stream HTTP/1.1', evil)],
  [
    'a web socket',
    get(
      '/_control/stream',
      'Origin: http://evil.example',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ),
  ],
  ...[
    '/api/../_control/stream',
    '/api/%2e%2e/_control/stream',
    '/v2/../_control/stream',
    '//_control/stream',
    '/\\_control/stream',
    'http://localhost/_control/stream',
  ].map((target) => [`the address ${target}`, get(target, evil)] as const),
  ['a request in a body', smuggled(inner, `Content-Length: ${inner.length}`)],
  [
    'a request behind chunks that also have a length',
    smuggled(`0\r\n\r\n${inner}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
  ],
  ['a request in chunks of no such coding', smuggled(inner, 'Transfer-Encoding: xchunked')],
  ['the page itself under a foreign Host', get('/', evil)],
];

test('there are 57 raw requests', () => {
  expect(attacks).toHaveLength(57);
});

test.each(attacks)('%s gets nothing', async (_, bytes) => {
  const before = mock.events();
  const response = await send(bytes);
  expect(response).not.toMatch(/HTTP\/1\.1 [123]/);
  expect(response).not.toMatch(/set-cookie|text\/event-stream|cg_test_|org_/i);
  // The public API, which pages of any origin can call, responds to the addresses that are its own.
  if (!response.includes('missing_credentials')) expect(response).not.toMatch(/access-control/i);
  expect(mock.events()).toEqual(before);
});

test('the same call from this machine gets what it asks for', async () => {
  expect(await send(call())).toMatch(/^HTTP\/1\.1 200 .*"adminKey":"cg_test_/s);
  expect(await send(call('Origin: http://localhost:PORT'))).toMatch(/^HTTP\/1\.1 200/);
});

const send = (bytes: string) => sendRaw(server.port, bytes.replaceAll('PORT', String(server.port)));

const here = '127.0.0.1';
const named = (host: string) => ({ host });
const from = (host: string) => ({ origin: `http://${host}` });

/** Peers and headers as a test cannot send them: from other machines, under other names. */
const visitors: readonly (readonly [
  enters: boolean,
  peers: readonly (string | undefined)[],
  headers: readonly Readonly<Record<string, string>>[],
])[] = [
  [true, ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'], [{}]],
  [false, ['10.0.0.1', '172.17.0.1', '8.8.8.8', '::ffff:10.0.0.1', '::2', 'fe80::1'], [{}]],
  [false, ['', '127.0.0.1.evil', undefined], [{}]],
  [true, [here], ['localhost', 'LOCALHOST:4010', '127.0.0.1:4010'].map(named)],
  [true, [here], ['127.1.2.3', '[::1]', '[::1]:80'].map(named)],
  [true, [here], [{ ...from('localhost:4010'), 'sec-fetch-site': 'same-origin' }]],
  [true, [here], [{ 'sec-fetch-site': 'none' }]],
  [false, [here], ['mock:4010', '192.168.0.7:4010', '[fd00::7]:4010'].map(named)],
  [false, [here], [from('evil.example'), { ...named('mock:4010'), ...from('mock:4010') }]],
];

test.each(visitors)('it is %j that %j enters with %j', (enters, peers, all) => {
  for (const peer of peers) {
    for (const headers of all) {
      const given = new Headers({ host: 'localhost:4010', ...headers });
      expect(findAccessError({ peer, headers: given }) === undefined).toBe(enters);
    }
  }
});
