import { createHmac } from 'node:crypto';
import {
  type Answer,
  type Asked,
  type DialectSettings,
  isUrl,
  pause,
  postCallback,
  type RunningDialect,
  random,
  serve,
} from './service.ts';

/**
 * Every name in snake_case and the signature as `sha256=<hex>`. Keys and registrations can be
 * listed and removed; there is no usage, no stream and no list of generations.
 */
export function snakeCase(settings: DialectSettings = {}): Promise<RunningDialect> {
  const { generationMs = 20, drift } = settings;
  const apiKey = random('sk_');
  const secret = random('whsec_');
  const keys = new Map<string, Record<string, unknown>>();
  const hooks = new Map<string, Record<string, unknown>>();
  const requests = new Map<string, Record<string, unknown>>();
  const idName = drift === 'names' ? 'generation_id' : 'request_id';
  const generatePath =
    drift === 'paths' ? '/api/v2/ai/content/generate' : '/api/ai/content/generate';

  return serve({ apiKey, secret }, async (asked) => {
    if (asked.headers['x-api-key'] !== apiKey) return failed(401, 'unauthorized', 'Unknown key');
    if (asked.path === generatePath) return generate(asked);
    const [, collection, id] = /^\/api\/(.+?)(?:\/([^/]+))?$/.exec(asked.path) ?? [];
    if (asked.path.startsWith('/api/auth/api-keys')) return onKeys(asked, asked.path.split('/')[4]);
    if (collection === 'webhooks') return onHooks(asked, id);
    return failed(404, 'not_found', `No route ${asked.path}`);
  });

  async function generate({ method, path, body }: Asked): Promise<Answer> {
    if (method !== 'POST') return failed(405, 'method_not_allowed', `${method} ${path}`);
    if (typeof body?.['prompt'] !== 'string' || body['prompt'] === '') {
      return failed(422, 'invalid_request', 'prompt must be a non-empty string');
    }
    const request_id = random('req_');
    const finished = {
      [idName]: request_id,
      result: `On ${body['prompt']}`,
      model: 'writer-1',
      usage: { total_tokens: body['prompt'].length },
    };
    const url = body['webhook_url'];
    if (url === undefined) {
      await pause(generationMs);
      return { status: 200, body: finished };
    }
    if (!isUrl(url)) return failed(422, 'invalid_request', 'webhook_url must be a URL');
    requests.set(request_id, finished);
    setTimeout(() => postCallback(url, finished, sign), generationMs);
    const status = drift === 'statuses' ? 'accepted' : 'processing';
    return { status: 202, body: { status, [idName]: request_id } };
  }

  function onKeys({ method, body }: Asked, id: string | undefined): Answer {
    if (method === 'POST' && id === undefined) {
      const key = {
        id: random('key_'),
        name: body?.['name'] ?? null,
        created_at: new Date().toISOString(),
      };
      keys.set(key.id, key);
      return { status: 201, body: { ...key, key: random('sk_') } };
    }
    return onCollection(keys, method, id);
  }

  function onHooks({ method, body }: Asked, id: string | undefined): Answer {
    if (method === 'POST' && id === undefined) {
      if (typeof body?.['event'] !== 'string' || !isUrl(body['url'])) {
        return failed(422, 'invalid_request', 'event and url are required');
      }
      const hook = {
        id: random('wh_'),
        event: body['event'],
        url: body['url'],
        created_at: new Date().toISOString(),
      };
      hooks.set(hook.id, hook);
      return { status: 201, body: hook };
    }
    return onCollection(hooks, method, id);
  }

  function onCollection(
    stored: Map<string, Record<string, unknown>>,
    method: string,
    id: string | undefined,
  ): Answer {
    if (method === 'GET' && id === undefined) {
      return { status: 200, body: { items: [...stored.values()], next_cursor: null } };
    }
    if (method === 'DELETE' && id !== undefined) {
      return stored.delete(id) ? { status: 204 } : failed(404, 'not_found', 'No such item');
    }
    return failed(405, 'method_not_allowed', method);
  }

  function sign(payload: string): Record<string, string> {
    const encoding = drift === 'signature' ? 'base64' : 'hex';
    return {
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(payload).digest(encoding)}`,
    };
  }
}

function failed(status: number, code: string, message: string): Answer {
  return { status, body: { error_code: code, error_message: message } };
}
