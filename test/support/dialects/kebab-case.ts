import { createHmac } from 'node:crypto';
import {
  type Answer,
  type Asked,
  type DialectSettings,
  isUrl,
  postCallback,
  type RunningDialect,
  random,
  serve,
} from './service.ts';

const failed = (status: number, code: string, message: string): Answer => ({
  status,
  body: { errors: [{ code, message }] },
});

/**
 * Kebab-case fields, ids as numbers, 201 for everything, errors in an array, events that say their `type`, a Base64
 * digest in `X-Request-Signature`, and everything below `/api/v3`.
 */
export function kebabCase({ generationMs = 30 }: DialectSettings = {}): Promise<RunningDialect> {
  const apiKey = random('ak-');
  const secret = random('shared-', 24);
  const keys = new Map<number, string>([[1, apiKey]]);
  let last = 100;
  const hooks = new Map<number, { event: string; url: string }>();
  const generations = new Map<number, object>();

  const post = (url: string, body: object) =>
    postCallback(url, body, (payload) => ({
      'x-request-signature': createHmac('sha256', secret).update(payload).digest('base64'),
    }));

  function generate({ prompt, 'webhook-url': url, ...others }: Record<string, unknown>): Answer {
    if (typeof prompt !== 'string' || prompt === '')
      return failed(400, 'prompt-missing', 'A prompt is needed');
    const [unknown] = Object.keys(others);
    if (unknown) return failed(400, 'unknown-field', `${unknown} is no field`);
    last += 1;
    const id = last;
    const usage = { 'total-tokens': prompt.length };
    const done = { 'request-id': id, result: `Once: ${prompt}`, model: 'writer-3', usage };
    if (url === undefined) {
      generations.set(id, done);
      return { status: 201, body: done };
    }
    if (!isUrl(url)) return failed(400, 'webhook-url-invalid', 'webhook-url is no URL');
    setTimeout(() => {
      generations.set(id, done);
      post(url, { type: 'generation.finished', ...done });
    }, generationMs);
    return { status: 201, body: { status: 'processing', 'request-id': id } };
  }

  function createHook({ event, url }: Record<string, unknown>): Answer {
    if (event !== 'usage_threshold') return failed(400, 'event-unknown', 'No such event');
    if (!isUrl(url)) return failed(400, 'url-invalid', 'url is no URL');
    last += 1;
    hooks.set(last, { event, url });
    return { status: 201, body: { 'webhook-id': last, event, url } };
  }

  function route({ method, path, body = {} }: Asked): Answer {
    const [, name = '', id = ''] = /^\/api\/v3\/([a-z/-]+?)(?:\/(\d+))?$/.exec(path) ?? [];
    const at = Number(id);
    switch (`${method} ${name}${id && '/#'}`) {
      case 'POST ai/content/generate':
        return generate(body);
      case 'GET ai/content/generate/#':
        return generations.has(at)
          ? { status: 201, body: generations.get(at) }
          : failed(404, 'unknown-request', 'There is no such request');
      case 'POST auth/api-keys': {
        last += 1;
        const key = random('ak-');
        keys.set(last, key);
        return { status: 201, body: { 'key-id': last, 'api-key': key } };
      }
      case 'DELETE auth/api-keys/#':
        return keys.delete(at) ? { status: 201 } : failed(404, 'unknown-key', 'No such key');
      case 'POST webhooks':
        return createHook(body);
      case 'DELETE webhooks/#':
        return hooks.delete(at)
          ? { status: 201 }
          : failed(404, 'unknown-webhook', 'No such webhook');
      default:
        return failed(404, 'unknown-path', 'Nothing is here');
    }
  }

  return serve({ apiKey, secret }, (asked) =>
    [...keys.values()].includes(`${asked.headers['x-api-key']}`)
      ? route(asked)
      : failed(401, 'key-invalid', 'The key is missing or invalid'),
  );
}
