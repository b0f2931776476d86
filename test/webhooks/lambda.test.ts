import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toLambdaHandler } from 'contentgen/webhooks/node';
import { describe, expect, test, vi } from 'vitest';
import { delivery, now, otherSecret, recorder, secret, usage } from './support.ts';

const callback = vi.fn();
const main = () =>
  toLambdaHandler(
    createWebhookHandler({
      secret,
      now,
      logger: recorder(),
      on: { usage_threshold: callback },
    }),
  );

/** A REST API event (v1): several values per header. */
async function v1(change: Partial<APIGatewayProxyEvent> = {}, key = secret) {
  const { body, headers } = await delivery(usage, { secret: key });
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const event = { httpMethod: 'POST', path: '/hooks', headers, multiValueHeaders, body };
  return { ...event, isBase64Encoded: false, ...change } as APIGatewayProxyEvent;
}

/** An HTTP API or function URL event (v2): lower-case headers, base64 bodies. */
async function v2(change: Partial<APIGatewayProxyEventV2> = {}) {
  const { body, headers } = await delivery(usage);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const requestContext = { domainName: 'fn.example', http: { method: 'POST' } };
  const event = { version: '2.0', rawPath: '/hooks', rawQueryString: 'a=1', requestContext };
  return {
    ...event,
    headers: Object.fromEntries(lower),
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    ...change,
  } as APIGatewayProxyEventV2;
}

describe('toLambdaHandler', () => {
  test('takes v1 events', async () => {
    const result = await main()(await v1());
    expect(result).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"status":"processed"}',
      isBase64Encoded: false,
    });
    expect(callback).toHaveBeenLastCalledWith(
      expect.objectContaining({ payload: usage }),
      expect.anything(),
    );
  });

  test('takes v2 events', async () => {
    expect((await main()(await v2())).statusCode).toBe(200);
  });

  test('rejects forged, repeated, empty and invalid events', async () => {
    const run = async (event: Parameters<ReturnType<typeof main>>[0]) => {
      const { statusCode, body } = await main()(event);
      return [statusCode, JSON.parse(body).code];
    };
    expect(await run(await v1({}, otherSecret))).toEqual([400, 'signature_mismatch']);
    expect(await run(await v1({ body: null }))).toEqual([400, 'signature_mismatch']);
    expect(await run(await v1({ headers: {}, multiValueHeaders: {} }))).toEqual([
      400,
      'missing_header',
    ]);
    const { multiValueHeaders } = await v1();
    const twice = { ...multiValueHeaders, 'webhook-id': ['msg_1', 'msg_1'] };
    expect(await run(await v1({ multiValueHeaders: twice }))).toEqual([400, 'duplicate_header']);
    expect(await run(await v1({ httpMethod: 'GET' }))).toEqual([405, 'method_not_allowed']);
    expect(await run(await v2({ body: 'e30=' }))).toEqual([400, 'signature_mismatch']);
    const large = Buffer.alloc(1_048_577).toString('base64');
    expect(await run(await v2({ body: large }))).toEqual([413, 'body_too_large']);
  });

  test('gives the secret function an absolute URL', async () => {
    const seen: string[] = [];
    const handler = createWebhookHandler({
      secret: ({ url }) => {
        seen.push(url);
        return secret;
      },
      now,
      logger: recorder(),
    });
    await toLambdaHandler(handler)(await v2());
    expect(seen).toEqual(['https://fn.example/hooks?a=1']);
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

  test('gets the headers of an event whose lists are empty', async () => {
    const headers = { 'X-One': 'a' };
    const { request } = await seen({
      httpMethod: 'POST',
      path: '/',
      headers,
      multiValueHeaders: {},
      body: '',
    });
    expect(request?.headers.get('x-one')).toBe('a');
  });

  test.each([
    [
      'version 1',
      {
        raw_path: '/hooks?a=1',
        method: 'POST',
        headers: { 'x-one': 'a' },
        is_base64_encoded: true,
        body: 'dGV4dA==',
      },
    ],
    [
      'version 2',
      {
        version: '2.0',
        path: '/hooks?a=1',
        method: 'POST',
        headers: { 'x-one': ['a'] },
        isBase64Encoded: false,
        body: 'text',
      },
    ],
  ])('gets the method, path and headers of VPC Lattice, %s', async (_version, event) => {
    const { request } = await seen(event);
    expect([request?.method, request?.url]).toEqual(['POST', 'https://localhost/hooks?a=1']);
    expect(request?.headers.get('x-one')).toBe('a');
    expect(await request?.text()).toBe('text');
  });

  test('is told of a body that a middleware has parsed, although it was encoded', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { result } = await seen({
      httpMethod: 'POST',
      path: '/',
      headers: {},
      body: { parsed: true },
      isBase64Encoded: true,
    });
    expect(result).toMatchObject({ statusCode: 500, body: '{"code":"body_already_parsed"}' });
    expect(log.mock.lastCall?.[0]).toContain('its body was already parsed');
    log.mockRestore();
  });

  test.each(['GET', 'HEAD'])('gets no body with %s', async (httpMethod) => {
    const { request, result } = await seen({ httpMethod, path: '/', headers: {}, body: 'text' });
    expect([request?.method, request?.body, result.statusCode]).toEqual([httpMethod, null, 201]);
  });

  test('is not called if no Request can be built', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const post = { httpMethod: 'POST', path: '/', headers: {} };
    const cases: [object, number, string, number][] = [
      [{ ...post, body: 'x'.repeat(1_048_577) }, 413, 'body_too_large', 0],
      [{ ...post, body: 'x', requestContext: { domainName: 'a b' } }, 400, 'invalid_request', 0],
      [{ ...post, body: { parsed: true } }, 500, 'body_already_parsed', 1],
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

  test('gets a body of exactly the maximum size', async () => {
    const { result } = await seen({ httpMethod: 'POST', path: '/', body: 'x'.repeat(1_048_576) });
    expect(result.statusCode).toBe(201);
  });
});
