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

/** Settings of {@link rateLimited}. */
export interface RateLimitedSettings extends DialectSettings {
  /** Calls that one second allows. Default 10. */
  readonly callsPerSecond?: number;
  /** What a 429 says in Retry-After, in seconds. Default 1. */
  readonly retryAfter?: number;
}

/**
 * All paths below `/v1`, a limit of calls per second (429 with Retry-After), generations that take
 * their time, and a signature over `timestamp.body` with the milliseconds in a header of its own.
 * There is a usage operation; keys cannot be listed; no stream.
 */
export function rateLimited(settings: RateLimitedSettings = {}): Promise<RunningDialect> {
  const { generationMs = 1500, callsPerSecond = 10, retryAfter = 1, drift } = settings;
  const apiKey = random('rl_');
  const secret = random('', 32);
  let second = 0;
  let calls = 0;
  let tokens = 0;
  const generatePath = drift === 'paths' ? '/v1/ai/content/generations' : '/v1/ai/content/generate';

  return serve({ apiKey, secret }, (asked) => {
    const now = Math.floor(Date.now() / 1000);
    calls = now === second ? calls + 1 : 1;
    second = now;
    if (calls > callsPerSecond) {
      const headers = { 'retry-after': String(retryAfter), 'x-ratelimit-remaining': '0' };
      return { ...refused(429, 'rate_limited', 'Too many requests'), headers };
    }
    if (asked.headers['x-api-key'] !== apiKey) return refused(401, 'unauthorized', 'Bad key');
    const route = `${asked.method} ${asked.path}`;
    if (route === `POST ${generatePath}`) return generate(asked.body);
    if (route === 'POST /v1/auth/api-keys') {
      return { status: 201, body: { id: random('k', 6), key: random('rl_'), name: 'key' } };
    }
    if (route === 'POST /v1/webhooks') return register(asked.body);
    if (route === 'GET /v1/usage') {
      return { status: 200, body: { used: tokens, quota: 1_000_000, period: 'month' } };
    }
    return refused(404, 'no_such_route', `${route} does not exist; see /v1`);
  });

  async function generate(body: Asked['body']): Promise<Answer> {
    const prompt = body?.['prompt'];
    if (typeof prompt !== 'string' || prompt.trim() === '') {
      return refused(400, 'invalid_prompt', 'The prompt is empty');
    }
    tokens += prompt.length;
    const requestId = random('r-', 8);
    const finished = {
      requestId,
      result: `${prompt}, at length`,
      model: 'slow-1',
      usage: { totalTokens: prompt.length },
    };
    const url = body?.['webhookUrl'];
    if (isUrl(url)) {
      setTimeout(() => postCallback(url, finished, sign), generationMs);
      const status = drift === 'statuses' ? 'waiting' : 'processing';
      return { status: 202, body: { status, requestId } };
    }
    await pause(generationMs);
    return { status: 200, body: finished };
  }

  function register(body: Asked['body']): Answer {
    const { event, url } = body ?? {};
    if (!isUrl(url)) return refused(400, 'invalid_url', 'url is not a URL');
    return { status: 201, body: { id: random('h', 6), event, url } };
  }

  function sign(payload: string): Record<string, string> {
    const timestamp = String(Date.now());
    const signed = drift === 'signature' ? payload : `${timestamp}.${payload}`;
    return {
      'x-service-timestamp': timestamp,
      'x-service-signature': createHmac('sha256', secret).update(signed).digest('hex'),
    };
  }
}

function refused(status: number, code: string, detail: string): Answer {
  return { status, body: { code, detail } };
}
