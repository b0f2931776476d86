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
 * Ids are numbers and callbacks carry a secret token in a header instead of a signature. Keys are
 * made at `/api-keys/generate`; registrations can be listed, keys cannot; no usage and no stream.
 */
export function numbered(settings: DialectSettings = {}): Promise<RunningDialect> {
  const { generationMs = 20, drift } = settings;
  const apiKey = random('key');
  const secret = random('', 16);
  const hooks = new Map<number, Record<string, unknown>>();
  const generations = new Map<number, Record<string, unknown>>();
  let last = 1000;
  const keyPath = drift === 'paths' ? '/api/keys/generate' : '/api-keys/generate';

  return serve({ apiKey, secret }, (asked) => {
    if (asked.headers['x-api-key'] !== apiKey) return { status: 401, body: { message: 'Who?' } };
    if (asked.path === '/api/ai/content/generate' && asked.method === 'POST')
      return generate(asked);
    if (asked.path === keyPath && asked.method === 'POST') {
      last += 1;
      return { status: 200, body: { id: last, key: random('key') } };
    }
    if (asked.path.startsWith('/api/webhooks')) return onHooks(asked);
    return { status: 404, body: { message: 'Not Found' } };
  });

  async function generate({ body }: Asked): Promise<Answer> {
    const prompt = body?.['prompt'];
    if (typeof prompt !== 'string') return { status: 400, body: { message: 'prompt?' } };
    last += 1;
    const requestId = last;
    const finished = {
      requestId,
      result: [...prompt].reverse().join(''),
      model: 'mirror',
      usage: { totalTokens: prompt.length },
    };
    generations.set(requestId, finished);
    const url = body?.['webhookUrl'];
    if (isUrl(url)) {
      setTimeout(() => postCallback(url, finished, token), generationMs);
      const status = drift === 'statuses' ? 'running' : 'processing';
      return { status: 202, body: { status, requestId } };
    }
    await pause(generationMs);
    return { status: 200, body: drift === 'names' ? renamed(finished) : finished };
  }

  function onHooks({ method, path, body }: Asked): Answer {
    const id = path.split('/')[3];
    if (method === 'GET' && id === undefined) {
      return { status: 200, body: { items: [...hooks.values()] } };
    }
    if (method === 'POST' && id === undefined) {
      if (!isUrl(body?.['url'])) return { status: 400, body: { message: 'url?' } };
      last += 1;
      const hook = { id: last, event: body['event'], url: body['url'] };
      hooks.set(last, hook);
      return { status: 201, body: hook };
    }
    if (method === 'DELETE' && hooks.delete(Number(id))) return { status: 204 };
    return { status: 404, body: { message: 'Not Found' } };
  }

  function token(): Record<string, string> {
    return { [drift === 'signature' ? 'x-callback-token' : 'x-webhook-token']: secret };
  }
}

function renamed({ result, ...others }: Record<string, unknown>): Record<string, unknown> {
  return { ...others, text: result };
}
