import {
  createWebhookHandler,
  type SignWebhookOptions,
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHandlerOptions,
  type WebhookLogger,
} from 'contentgen/webhooks';

/** Public test material. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
/** 2026-01-01T00:00:00Z in Unix seconds. */
export const at = 1_767_225_600;
export const now = () => at * 1000;

export const usage = {
  event: 'usage_threshold',
  organization: 'org_1',
  usage: 900,
  threshold: 900,
} as const;
export const completed = {
  requestId: 'gen_1',
  status: 'completed',
  result: 'A haiku',
  model: 'content-1',
  usage: { totalTokens: 12 },
} as const;
export const failed = {
  requestId: 'gen_2',
  status: 'failed',
  model: 'content-1',
  error: { code: 'model_failed', message: 'The model failed.' },
} as const;

/** A signed delivery as `verifyWebhook` takes it. */
export async function delivery(payload: unknown, options: Partial<SignWebhookOptions> = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const headers = await signWebhook({ id: 'msg_1', timestamp: at, body, secret, ...options });
  return { body, headers };
}

/** A signed delivery as a `Request`. */
export async function request(
  payload: unknown,
  options: Partial<SignWebhookOptions> = {},
  init: { headers?: Record<string, string>; method?: string; url?: string } = {},
): Promise<Request> {
  const { body, headers } = await delivery(payload, options);
  return new Request(init.url ?? 'https://app.example/hooks', {
    method: init.method ?? 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...init.headers },
    ...(init.method === 'GET' ? {} : { body }),
  });
}

/** A logger that keeps its lines. */
export function recorder(diagnose = false): WebhookLogger & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    diagnose,
    warn: (message) => void lines.push(`warn ${message}`),
    error: (message) => void lines.push(`error ${message}`),
  };
}

/** `accept`, or the code or class of the error. */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'accept';
  } catch (error) {
    const { name, code } = error as { name: string; code: string };
    return name === 'WebhookVerificationError' ? code : name;
  }
}

/** `verifyWebhook` with the secret and clock of these tests. */
export const verify = (options: Partial<VerifyWebhookOptions> & object) =>
  verifyWebhook({ secret, now, logger: recorder(), ...options } as VerifyWebhookOptions);

/** The outcome of a signed delivery of `usage` that is verified with these options, headers or body. */
export const judge = async (
  options: Partial<VerifyWebhookOptions> & object = {},
  signing?: Partial<SignWebhookOptions>,
) => {
  const signed = { ...(await delivery(usage, signing)), ...options };
  return outcome(verify(signed as Partial<VerifyWebhookOptions>));
};

/** The same with changed headers. */
export const judgeHeaders = async (
  change: (headers: Record<string, string>) => unknown,
  signing?: Partial<SignWebhookOptions>,
) => judge({ headers: change((await delivery(usage, signing)).headers) as never }, signing);

/** A handler with the secret and clock of these tests. */
export const makeHandler = (options: Partial<WebhookHandlerOptions> = {}) =>
  createWebhookHandler({ secret, now, logger: recorder(), ...options });

/** A response as plain data. */
export async function toData(pending: Promise<Response>) {
  const response = await pending;
  const retryAfter = response.headers.get('retry-after');
  const body = (await response.json()) as { status?: string; code?: string };
  return { http: response.status, ...(retryAfter && { retryAfter }), ...body };
}

/** A callback that does not end until `open` is called. */
export function gate() {
  let enter = () => {};
  let open = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  const callback = () => {
    enter();
    return held;
  };
  return { entered, open, callback };
}

/** Waits for the first call of a mock: with Web Crypto, several turns of the real event loop pass before it. */
export async function firstCall({ mock }: { readonly mock: { readonly calls: unknown[] } }) {
  while (mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
}
