import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { findScheme } from '../../src/testing/find-scheme.ts';

const secret = 'a shared secret of 32 characters';
const body = '{"result":"text"}';
const digestOf = (signed: string) => createHmac('sha256', secret).update(signed).digest('hex');
const ms = '1767225600000';

test.each([
  [
    { signs: '{body}.{timestamp}', timestampHeader: 'x-time' },
    { 'x-time': '1767225600', 'x-sign': digestOf(`${body}.1767225600`) },
  ],
  [
    { signs: '{id}.{timestamp}.{body}', idHeader: 'x-id', timestampHeader: 'x-time' },
    { 'x-id': 'evt-1', 'x-time': '1767225600', 'x-sign': digestOf(`evt-1.1767225600.${body}`) },
  ],
  [
    { signs: '{timestamp}.{body}', format: 't={timestamp},v1={signature}', timestampUnit: 'ms' },
    { 'x-sign': `t=${ms},v1=${digestOf(`${ms}.${body}`)}` },
  ],
])('a delivery signed as %o is recognized', async (scheme, sent) => {
  const headers = Object.entries(sent);
  const found = await findScheme({ headers, body: new TextEncoder().encode(body) }, secret);
  expect(found).toMatchObject({ scheme: { type: 'hmac', ...scheme }, secretEncoding: 'utf8' });
});
