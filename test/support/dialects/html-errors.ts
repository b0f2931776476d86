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
 * Sits behind a gateway that answers HTML for every error and takes its key as a Bearer token.
 * Keys are `key_id` and `api_key`; a generation is named `job_id`, its text `output`; signatures
 * are upper-case hex of SHA-512. No registrations, no lists, no usage, no stream; an
 * Idempotency-Key that was seen is a 409.
 */
export function htmlErrors(settings: DialectSettings = {}): Promise<RunningDialect> {
  const { generationMs = 20, drift } = settings;
  const apiKey = random('gw_');
  const secret = random('', 20);
  const seen = new Set<string>();
  const textName = drift === 'names' ? 'completion' : 'output';

  return serve({ apiKey, secret }, (asked) => {
    if (asked.headers.authorization !== `Bearer ${apiKey}`) return page(401, 'Unauthorized');
    const once = asked.headers['idempotency-key'];
    if (typeof once === 'string') {
      if (seen.has(once)) return page(409, 'Conflict');
      seen.add(once);
    }
    if (asked.path === '/api/ai/content/generate') {
      return asked.method === 'POST' ? generate(asked.body) : page(405, 'Method Not Allowed');
    }
    if (asked.path === '/api/auth/api-keys' && asked.method === 'POST') {
      return {
        status: 200,
        body: { key_id: random('', 6), api_key: random('gw_'), label: asked.body?.['name'] ?? '' },
      };
    }
    return page(404, 'Not Found');
  });

  async function generate(body: Asked['body']): Promise<Answer> {
    const prompt = body?.['prompt'];
    if (typeof prompt !== 'string' || prompt === '') return page(400, 'Bad Request');
    const url = body?.['callbackUrl'];
    const job_id = random('', 16);
    const finished = {
      job_id,
      [textName]: `<p>${prompt}</p>`,
      model: 'hyper',
      usage: { totalTokens: 7 },
    };
    if (isUrl(url)) {
      setTimeout(() => postCallback(url, finished, sign), generationMs);
      const state = drift === 'statuses' ? 'enqueued' : 'processing';
      return { status: 202, body: { status: state, job_id } };
    }
    await pause(generationMs);
    return { status: 200, body: finished };
  }

  function sign(payload: string): Record<string, string> {
    const algorithm = drift === 'signature' ? 'sha256' : 'sha512';
    const digest = createHmac(algorithm, secret).update(payload).digest('hex');
    return { 'x-signature': digest.toUpperCase() };
  }
}

function page(status: number, title: string): Answer {
  const body = `<!doctype html><html><head><title>${status} ${title}</title></head><body><center><h1>${status} ${title}</h1></center><hr><center>gateway</center></body></html>`;
  return { status, body };
}
