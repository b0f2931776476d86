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

/**
 * Signs as Stripe does (`t=…,v1=…` over `timestamp.body`, hex). Generation is always asynchronous
 * and demands a callback; a registration answers the secret of its own. No lists, no usage, no
 * stream and no reading of a generation.
 */
export function stripeSigned(settings: DialectSettings = {}): Promise<RunningDialect> {
  const { generationMs = 20, drift } = settings;
  const apiKey = random('sk_live_');
  const secret = random('whsec_', 20);
  const keys = new Set<string>();
  const idName = drift === 'names' ? 'id' : 'requestId';

  return serve({ apiKey, secret }, (asked) => {
    const key = asked.headers['x-api-key'];
    if (key !== apiKey && !keys.has(String(key))) {
      return problem(401, 'authentication_error', 'No such API key.');
    }
    const route = `${asked.method} ${asked.path}`;
    if (route === 'POST /api/ai/content/generate') return generate(asked.body);
    if (route === 'POST /api/auth/api-keys') {
      const created = random('sk_live_');
      keys.add(created);
      return { status: 201, body: { id: random('key_', 8), key: created } };
    }
    if (route === 'POST /api/webhooks') return register(asked.body);
    return problem(404, 'not_found', `Unrecognized request URL (${route}).`);
  });

  function generate(body: Asked['body']): Answer {
    const prompt = body?.['prompt'];
    const url = body?.['webhookUrl'];
    if (typeof prompt !== 'string' || prompt === '') {
      return problem(400, 'parameter_missing', 'Missing required param: prompt.', 'prompt');
    }
    if (!isUrl(url)) {
      return problem(400, 'parameter_missing', 'Missing required param: webhookUrl.', 'webhookUrl');
    }
    const requestId = random('req_');
    const event = {
      [idName]: requestId,
      result: `Draft: ${prompt}`,
      model: 'draft-2',
      usage: { totalTokens: 12 },
    };
    setTimeout(() => postCallback(url, event, sign), generationMs);
    const status = drift === 'statuses' ? 'in_progress' : 'processing';
    return { status: 200, body: { status, [idName]: requestId } };
  }

  function register(body: Asked['body']): Answer {
    const { event, url } = body ?? {};
    if (typeof event !== 'string' || !isUrl(url)) {
      return problem(400, 'parameter_missing', 'Missing required param: event or url.');
    }
    return { status: 200, body: { id: random('we_'), event, url, secret } };
  }

  function sign(payload: string): Record<string, string> {
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex');
    const header = drift === 'signature' ? 'service-signature' : 'x-service-signature';
    return { [header]: `t=${t},v1=${v1}` };
  }
}

function problem(status: number, type: string, message: string, param?: string): Answer {
  return { status, body: { error: { type, message, ...(param !== undefined && { param }) } } };
}
