import { signWebhook } from '../../src/webhooks/index.ts';
import type { Json, Next, World } from './conform-world.ts';

const generate = /^POST .*\/generate$/;

/** Whether it is that operation, by method and path. */
const is = ({ method, url }: Request, operation: RegExp) =>
  operation.test(`${method} ${new URL(url).pathname}`);

/** Changes the responses of some requests. */
const responds =
  (
    matches: (request: Request, body: string) => boolean,
    change: (body: Json) => object,
    init: ResponseInit = {},
  ) =>
  async (request: Request, next: Next): Promise<Response> => {
    const body = await request.clone().text();
    const response = await next(request);
    if (!matches(request, body)) return response;
    if (
      request.headers.has('authorization') ||
      request.headers.get('x-api-key')?.includes('invalid')
    )
      return response;
    const { status, headers } = response;
    const changed = JSON.stringify(change(JSON.parse((await response.text()) || '{}')));
    return new Response(changed, {
      status,
      headers: [...headers].filter(([name]) => name !== 'content-length'),
      ...init,
    });
  };

/** Changes some requests. */
const asks =
  (
    matches: (request: Request, body: string) => boolean,
    change: (body: Json, headers: Headers, url: URL) => object | undefined,
  ) =>
  async (request: Request, next: Next): Promise<Response> => {
    const text = await request.clone().text();
    if (!matches(request, text)) return next(request);
    const [headers, url] = [new Headers(request.headers), new URL(request.url)];
    const body = change(text && JSON.parse(text), headers, url);
    const { method } = request;
    return next(new Request(url, { method, headers, ...(text && { body: JSON.stringify(body) }) }));
  };

const fails =
  (matches: (request: Request, body: string) => boolean, status = 500) =>
  async (request: Request, next: Next): Promise<Response> =>
    matches(request, await request.clone().text())
      ? Response.json({ status }, { status })
      : next(request);

/** Changes a callback and signs it again. */
const posts =
  (mark: string, change: (body: Json) => object, skewSeconds = 0) =>
  async (request: Request, next: Next, secret: string): Promise<Response> => {
    if (!request.url.endsWith(`=${mark}`)) return next(request);
    const body = JSON.stringify(change(JSON.parse(await request.text())));
    const id = request.headers.get('webhook-id') as string;
    const timestamp = Number(request.headers.get('webhook-timestamp')) + skewSeconds;
    const signed = await signWebhook({ id, timestamp, body, secret });
    return next(new Request(request.url, { method: 'POST', headers: signed, body }));
  };

const without =
  (name: string) =>
  ({ [name]: _, ...rest }: Json) =>
    rest;
const keep = (body: object) => body;
const withKey = ({ headers }: Request) => headers.has('x-api-key');
const isStream = ({ headers }: Request) => headers.get('accept') === 'text/event-stream';
const isSync = (request: Request, body: string) =>
  is(request, generate) && body.includes('prompt') && !/webhookUrl|stream/.test(body);
const isAsync = (request: Request, body: string) =>
  is(request, generate) && body.includes('webhookUrl');

/** For each clause a server that breaks it, and nothing else. */
export const mutants: Readonly<Record<string, World>> = {
  'credentials.missing': { api: fails((request) => !withKey(request), 403) },
  'credentials.invalid': {
    api: fails(({ headers }) => headers.get('x-api-key')?.includes('invalid') === true, 403),
  },
  'credentials.accepted': {
    api: fails(
      (request) =>
        is(request, /usage$/) &&
        request.headers.get('x-api-key')?.length === 57 &&
        !request.headers.has('authorization'),
      401,
    ),
  },
  'credentials.single': {
    api: asks(
      ({ headers }) => headers.has('authorization'),
      (_, headers) => void headers.delete('authorization'),
    ),
  },
  'errors.problem': { api: responds((request) => !withKey(request), without('code')) },
  'usage.get': {
    api: responds((request) => is(request, /usage$/) && withKey(request), without('quota')),
  },
  'rate.headers': { mock: { rateLimit: undefined as never } },
  'generate.path': { api: fails((request) => is(request, /^POST .*\/generate$/), 404) },
  'errors.validation': { api: responds((_, body) => body === '{}', keep, { status: 400 }) },
  'generate.prompt': { api: fails(isSync) },
  'generate.result': { api: responds(isSync, without('model')) },
  'generate.usage': { api: responds(isSync, without('usage')) },
  'generate.webhook-url': { api: asks(isAsync, without('webhookUrl')) },
  'acknowledgement.status': { api: responds(isAsync, without('status')) },
  'acknowledgement.request-id': { api: responds(isAsync, without('requestId')) },
  'acknowledgement.code': { api: responds(isAsync, keep, { status: 200 }) },
  'callback.arrives': {
    posted: async (request, next) =>
      request.url.endsWith('=webhookUrl') ? new Response() : next(request),
  },
  'callback.fields': { posted: posts('webhookUrl', without('result')) },
  'callback.signature': {
    async posted(request, next) {
      for (const name of ['webhook-signature', 'x-service-signature']) request.headers.delete(name);
      return next(request);
    },
  },
  'callback.tolerance': { posted: posts('webhookUrl', keep, -301) },
  'callback.repeat': {
    async posted(request, next) {
      // The mutant counts callbacks; the first one keeps its id.
      if (request.url.endsWith('=webhookUrl') && callbacks++ > 0)
        request.headers.set('webhook-id', 'msg_other');
      return next(request);
    },
  },
  'poll.get': {
    api: responds(
      (request) => is(request, /^GET .*\/gen_\w+$/) && !isStream(request),
      (body) => ({ ...body, requestId: 'gen_other' }),
    ),
  },
  'list.page': {
    api: asks(
      ({ url }) => url.endsWith('generate?limit=1'),
      (_, _headers, url) => void url.searchParams.set('limit', '2'),
    ),
  },
  'list.cursor': {
    api: asks(
      ({ url }) => url.includes('cursor='),
      (_, _headers, url) => void url.searchParams.delete('cursor'),
    ),
  },
  'cancel.processing': {
    api: responds(
      (request) => is(request, /cancel$/),
      (body) => ({ ...body, status: 'processing' }),
    ),
  },
  'idempotency.replay': {
    api: asks(isSync, (body, headers) => {
      headers.delete('idempotency-key');
      return body;
    }),
  },
  'idempotency.header': {
    api: async (request, next) => {
      const response = await next(request);
      response.headers.delete('idempotency-replayed');
      return response;
    },
  },
  'idempotency.mismatch': {
    api: asks(
      (_, body) => body.includes('Please'),
      (body, headers) => {
        headers.delete('idempotency-key');
        return body;
      },
    ),
  },
  'stream.events': {
    async api(request, next) {
      const response = await next(request);
      if (!is(request, generate) || !isStream(request)) return response;
      const text = (await response.text()).replace('event: generation.completed', 'event: done');
      return new Response(text, response);
    },
  },
  'stream.resume': {
    api: asks(
      ({ headers }) => headers.has('last-event-id'),
      (_, headers) => void headers.delete('last-event-id'),
    ),
  },
  'keys.create': { api: fails((request) => is(request, /^POST .*api-keys(\/generate)?$/)) },
  'keys.shown': {
    api: responds(
      (request) => is(request, /^POST .*api-keys$/),
      (body) => ({ ...body, key: `${body.key}0` }),
    ),
  },
  'keys.hidden': {
    async api(request, next) {
      const response = await next(request);
      if (is(request, /^POST .*api-keys$/)) lastKey = await response.clone().text();
      return is(request, /^GET .*api-keys$/) ? new Response(lastKey, response) : response;
    },
  },
  'keys.revoke': {
    api: async (request, next) => (is(request, /revoke$/) ? Response.json({}) : next(request)),
  },
  'registrations.create': { api: fails((request) => is(request, /^POST .*webhooks$/)) },
  'registrations.secret': {
    api: responds((request) => is(request, /^POST .*webhooks$/), without('secret')),
  },
  'registrations.event': { posted: posts('event', without('threshold')) },
  'registrations.manage': {
    api: async (request, next) =>
      request.method === 'DELETE' ? new Response(null, { status: 204 }) : next(request),
  },
};
let lastKey = '';
let callbacks = 0;
