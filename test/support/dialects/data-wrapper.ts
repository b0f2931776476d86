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
 * Everything stands in `data`, the statuses are QUEUED and DONE, and the signature is base64. A
 * generation can be read by its id; there are no registrations, no usage and no stream.
 */
export function dataWrapper(settings: DialectSettings = {}): Promise<RunningDialect> {
  const { generationMs = 20, drift } = settings;
  const apiKey = random('k-');
  const secret = random('', 24);
  const generations = new Map<string, Record<string, unknown>>();
  const keys = new Map<string, Record<string, unknown>>();
  const queued = drift === 'statuses' ? 'PENDING' : 'QUEUED';
  const wrapper = drift === 'names' ? 'response' : 'data';
  const generatePath = '/api/ai/content/generate';

  return serve({ apiKey, secret }, async (asked) => {
    if (asked.headers['x-api-key'] !== apiKey) return refused(401, 'UNAUTHORIZED', 'Invalid key');
    if (asked.path === generatePath && asked.method === 'POST') return generate(asked.body);
    if (asked.path === generatePath && asked.method === 'GET') {
      return wrapped(200, { items: [...generations.values()] });
    }
    if (asked.path.startsWith(`${generatePath}/`) && asked.method === 'GET') {
      const found = generations.get(asked.path.slice(generatePath.length + 1));
      return found === undefined
        ? refused(404, 'NOT_FOUND', 'No such generation')
        : wrapped(200, found);
    }
    if (asked.path.startsWith('/api/auth/api-keys')) return onKeys(asked);
    return refused(404, 'NO_ROUTE', `Cannot ${asked.method} ${asked.path}`);
  });

  async function generate(body: Asked['body']): Promise<Answer> {
    const prompt = body?.['prompt'];
    if (typeof prompt !== 'string' || prompt.length === 0) {
      return refused(400, 'BAD_REQUEST', 'prompt is missing');
    }
    const url = body?.['webhookUrl'];
    if (url !== undefined && !isUrl(url)) return refused(400, 'BAD_REQUEST', 'webhookUrl');
    const requestId = random('');
    const done = {
      status: 'DONE',
      requestId,
      result: prompt.toUpperCase(),
      model: 'large',
      usage: { totalTokens: prompt.split(' ').length },
    };
    if (url === undefined) {
      await pause(generationMs);
      generations.set(requestId, done);
      return wrapped(200, done);
    }
    generations.set(requestId, { status: queued, requestId });
    setTimeout(() => {
      generations.set(requestId, done);
      postCallback(url, { [wrapper]: done }, sign);
    }, generationMs);
    return wrapped(202, { status: queued, requestId });
  }

  function onKeys({ method, path, body }: Asked): Answer {
    const id = path.split('/')[4];
    if (method === 'POST' && id === undefined) {
      const key = {
        id: random('ak-', 4),
        name: body?.['name'] ?? 'unnamed',
        createdAt: new Date().toISOString(),
      };
      keys.set(key.id, key);
      return wrapped(201, { ...key, key: random('k-') });
    }
    if (method === 'GET' && id === undefined) return wrapped(200, { items: [...keys.values()] });
    if (method === 'DELETE' && id !== undefined && keys.delete(id)) return { status: 204 };
    return refused(404, 'NOT_FOUND', 'No such key');
  }

  function wrapped(status: number, value: unknown): Answer {
    return { status, body: { [wrapper]: value } };
  }

  function sign(payload: string): Record<string, string> {
    const algorithm = drift === 'signature' ? 'sha512' : 'sha256';
    return {
      'x-service-signature': createHmac(algorithm, secret).update(payload).digest('base64'),
    };
  }
}

function refused(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}
