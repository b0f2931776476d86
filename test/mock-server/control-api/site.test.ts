import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { controlSite } from '../../../mock-server/control-api/app.ts';
import { served } from './served.ts';

/** Sends a request with any headers, also those that fetch does not allow. */
async function rawRequest(
  url: string,
  { body, ...options }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const sent = request(url, { ...options, agent: false }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: await text(response) };
}

const json = { 'content-type': 'application/json' };

describe('what it accepts', () => {
  test.each<[string, string, string | undefined, Record<string, string>, number, string]>([
    ['GET', '/nothing', undefined, {}, 404, 'not_found'],
    ['GET', '/call', undefined, {}, 405, 'method_not_allowed'],
    ['POST', '/stream', '{}', json, 405, 'method_not_allowed'],
    ['POST', '/call', '{', json, 400, 'invalid_json'],
    ['POST', '/call', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['POST', '/call', '{}', {}, 415, 'unsupported_media_type'],
    ['POST', '/call', '{}', json, 422, 'validation_failed'],
    ['POST', '/call', '{"call":"clock.now","args":{}}', json, 422, 'validation_failed'],
    ['POST', '/call', '{}', { ...json, 'content-length': '900000000' }, 413, 'payload_too_large'],
  ])('%s /_control%s', async (method, path, body, headers, status, code) => {
    const { control } = await served();
    const response = await rawRequest(control + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect({ status: response.status, ...JSON.parse(response.body) }).toMatchObject({
      status,
      code,
    });
    if (status === 405) expect(response.headers['allow']).toMatch(/^[A-Z, ]+$/);
  });

  test('a body of unknown length is read only up to the limit in bytes', async () => {
    const { mock, control } = await served();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        // Two bytes in one UTF-16 unit.
        controller.enqueue(new TextEncoder().encode('é'.repeat(32_768)));
      },
    });
    const init = { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit;
    const call = new Request(`${control}/call`, init);
    const site = controlSite(mock, 1024 * 1024);
    const response = await site.handle(call);
    expect(response?.status).toBe(413);
    expect(await response?.json()).toMatchObject({ code: 'payload_too_large' });
    expect(sent).toBeLessThan(40);
  });
});
