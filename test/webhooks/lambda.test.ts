import { toLambdaHandler } from 'contentgen/webhooks/node';
import { describe, expect, test, vi } from 'vitest';
import { eventV1, eventV2 } from './mounts.ts';
import { delivery, makeHandler, secret, usage } from './support.ts';

describe('toLambdaHandler', () => {
  const receive = toLambdaHandler(makeHandler());

  test('returns a status, headers and a text', async () => {
    const { body, headers } = await delivery(usage);
    expect(await receive(eventV1(body, headers))).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"status":"ignored"}',
      isBase64Encoded: false,
    });
  });

  test('rejects repeated, empty and invalid events', async () => {
    const { body, headers } = await delivery(usage);
    const [v1, v2] = [eventV1(body, headers), eventV2(body, headers)];
    const twice = { ...v1.multiValueHeaders, 'webhook-id': ['msg_1', 'msg_1'] };
    const large = Buffer.alloc(1_048_577).toString('base64');
    const rejected: [event: Parameters<typeof receive>[0], status: number, code: string][] = [
      [{ ...v1, body: null }, 400, 'signature_mismatch'],
      [{ ...v1, headers: {}, multiValueHeaders: {} }, 400, 'missing_header'],
      [{ ...v1, multiValueHeaders: twice }, 400, 'duplicate_header'],
      [{ ...v1, httpMethod: 'GET' }, 405, 'method_not_allowed'],
      [{ ...v2, body: 'e30=' }, 400, 'signature_mismatch'],
      [{ ...v2, body: large }, 413, 'body_too_large'],
    ];
    for (const [event, statusCode, code] of rejected)
      expect(await receive(event)).toMatchObject({ statusCode, body: JSON.stringify({ code }) });
  });

  test('gives the secret function an absolute URL', async () => {
    const choose = vi.fn((_: { url: string }) => secret);
    const { body, headers } = await delivery(usage);
    await toLambdaHandler(makeHandler({ secret: choose }))(eventV2(body, headers));
    expect(choose.mock.calls[0]?.[0].url).toBe('https://fn.example/hooks?a=1');
  });
});

describe('Any other fetch handler', () => {
  const seen = async (event: object) => {
    const requests: Request[] = [];
    const foreign = toLambdaHandler(async (request) => {
      requests.push(request.clone());
      return new Response(await request.text(), { status: 201, headers: { 'x-own': 'yes' } });
    });
    const result = await foreign(event as never);
    return { result, request: requests[0] };
  };

  test('gets the request unchanged, and its response is sent unchanged', async () => {
    const multiValueHeaders = { 'X-Two': ['a', 'b'], 'X-None': undefined, ':path': ['/'] };
    const event = { httpMethod: 'POST', path: '/hooks', multiValueHeaders, body: 'text' };
    const { request, result } = await seen({ ...event, requestContext: {} });
    expect(request?.url).toBe('https://localhost/hooks');
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({ 'x-two': 'a, b' });
    expect(request?.headers.has('x-none')).toBe(false);
    expect(result).toMatchObject({ statusCode: 201, body: 'text', headers: { 'x-own': 'yes' } });
  });

  const version1 = { raw_path: '/hooks?a=1', is_base64_encoded: true, body: 'dGV4dA==' };
  const version2 = { version: '2.0', path: '/hooks?a=1', isBase64Encoded: false, body: 'text' };
  test.each([
    ['version 1', { ...version1, method: 'POST', headers: { 'x-one': 'a' } }],
    ['version 2', { ...version2, method: 'POST', headers: { 'x-one': ['a'] } }],
  ])('gets the method, path and headers of VPC Lattice, %s', async (_version, event) => {
    const { request } = await seen(event);
    expect([request?.method, request?.url]).toEqual(['POST', 'https://localhost/hooks?a=1']);
    expect(request?.headers.get('x-one')).toBe('a');
    expect(await request?.text()).toBe('text');
  });

  test('is not called if no Request can be built', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const post = { httpMethod: 'POST', path: '/', headers: {} };
    const cases: [object, number, string, number][] = [
      [{ ...post, body: 'x'.repeat(1_048_577) }, 413, 'body_too_large', 0],
      [{ ...post, body: 'x', requestContext: { domainName: 'a b' } }, 400, 'invalid_request', 0],
      [{ ...post, body: { parsed: true } }, 500, 'body_already_parsed', 1],
      [{ ...post, body: { parsed: true }, isBase64Encoded: true }, 500, 'body_already_parsed', 2],
    ];
    for (const [event, status, code, lines] of cases) {
      const { request, result } = await seen(event);
      expect(request).toBeUndefined();
      expect(result).toMatchObject({ statusCode: status, body: JSON.stringify({ code }) });
      expect(result.headers).toEqual({ 'content-type': 'application/json' });
      expect(log).toHaveBeenCalledTimes(lines);
    }
    expect(log.mock.lastCall?.[0]).toContain('req.rawBody = buf');
    log.mockRestore();
  });
});
