import { randomBytes } from 'node:crypto';
import {
  type Answer,
  type Asked,
  isUrl,
  pause,
  postCallback,
  type Served,
  serve,
} from './service.ts';

type Json = Record<string, unknown>;
type Id = string | number;

/** What a service calls each value, a dot starting a member of a member. What has no name is in no body. */
export interface Names {
  readonly prompt: string;
  readonly callback: string;
  readonly requestId: string;
  readonly result: string;
  readonly model: string;
  readonly totalTokens: string;
  readonly keyId?: string;
  readonly key: string;
  readonly keyName?: string;
  readonly hookId?: string;
  readonly event?: string;
  readonly url?: string;
  readonly secret?: string;
  readonly createdAt?: string;
  readonly nextCursor?: string;
}

/** How a service reads what the specification leaves open. */
export interface Reading {
  /** In front of every path, and part of the base URL. */
  readonly prefix?: string;
  readonly paths: {
    readonly generate: string;
    readonly keys: string;
    readonly hooks?: string;
    readonly usage?: string;
  };
  /** What there is beyond making generations, keys and registrations. */
  readonly has: readonly (
    | 'GET generate'
    | 'GET generate/#'
    | 'GET keys'
    | 'DELETE keys/#'
    | 'GET hooks'
    | 'DELETE hooks/#'
  )[];
  readonly names: Names;
  /** Whether ids are numbers. */
  readonly isNumbered?: true;
  /** The header that takes the key, and what stands before the key in it. */
  readonly credential: readonly [header: string, prefix: string];
  readonly wrap?: string;
  /** The words for a generation; a whole one that has no word for it says no status. */
  readonly words: { readonly started: string; readonly done?: string };
  /** The status of each kind of response. */
  readonly statuses: {
    readonly done: number;
    readonly started: number;
    readonly created: number;
    readonly removed: number;
    readonly invalid: number;
    readonly otherMethod: number;
  };
  readonly error: (status: number, code: string, message: string) => Answer;
  readonly sign: (payload: string, secret: string) => Record<string, string>;
  /** What a callback says beside the generation. */
  readonly callbackSays?: Json;
  /** Generates only with a callback. */
  readonly demandsCallback?: true;
  /** Refuses fields that it does not know. */
  readonly isStrict?: true;
  /** Answers 409 to an Idempotency-Key that was seen. */
  readonly refusesRepeats?: true;
  readonly callsPerSecond?: number;
  /** What a 429 says in Retry-After, in seconds. */
  readonly retryAfter?: number;
  /** How long a generation takes. */
  readonly generationMs: number;
  /** What a generation uses. */
  readonly tokens: number;
  readonly secretPrefix: string;
}

/** A running service, and what a test can see and do behind its back. */
export interface RunningReading extends Served {
  /** How many generations were carried out, each of them billed. */
  readonly billed: number;
  /** What was posted, oldest first. */
  readonly deliveries: readonly SentDelivery[];
  /** Carries out the next call, but closes the connection in place of a response. */
  loseNextAnswer(): void;
  /** Registered URLs get an event. */
  payInvoice(): void;
}

export interface SentDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Tokens at which registered URLs get an event: 90 % of a quota of 1 000. */
const threshold = 900;
const organization = 'org-7';

/** A random identifier or secret behind `prefix`. */
export function random(prefix: string, bytes = 12): string {
  return `${prefix}${randomBytes(bytes).toString('hex')}`;
}

/** Starts a service that reads the specification in this way. */
export async function startReading(own: Reading): Promise<RunningReading> {
  const { names, paths, statuses, words, error, wrap, prefix = '' } = own;
  const [apiKey, secret] = [random('live-'), random(own.secretPrefix, 20)];
  const keys = new Map<Id, Json>();
  const validKeys = new Set([apiKey]);
  const hooks = new Map<Id, Json>();
  const generations = new Map<Id, Json>();
  const targets: { event: unknown; url: string }[] = [];
  const repeats = new Set<string>();
  const deliveries: SentDelivery[] = [];
  let [last, billed, second, calls, losesAnswer] = [1000, 0, 0, 0, false];

  const newId = (kind: string): Id => {
    last += 1;
    return own.isNumbered ? last : random(kind);
  };
  const wrapped = (body: Json): Json => (wrap ? { [wrap]: body } : body);
  const good = (status: number, body: Json): Answer => ({ status, body: wrapped(body) });
  const missing = (what: string) => error(404, 'not_found', `${what} does not exist`);
  const post = (url: string, payload: Json) =>
    postCallback(url, wrapped(payload), (body) => {
      const headers = own.sign(body, secret);
      deliveries.push({ headers: { 'content-type': 'application/json', ...headers }, body });
      return headers;
    });
  const notify = (event: string, facts: Json) => {
    for (const target of targets)
      if (target.event === event) post(target.url, { event, organization, ...facts });
  };

  async function generate(body: Json): Promise<Answer> {
    const { [names.prompt]: prompt, [names.callback]: url, ...others } = body;
    const refuse = (message: string) => error(statuses.invalid, 'invalid_request', message);
    const [unknown] = own.isStrict ? Object.keys(others) : [];
    if (unknown) return refuse(`${unknown} is no field`);
    if (typeof prompt !== 'string' || prompt === '') return refuse(`${names.prompt} is missing`);
    if (own.demandsCallback && url === undefined) return refuse(`${names.callback} is missing`);
    if (url !== undefined && !isUrl(url)) return refuse(`${names.callback} must be a URL`);
    const requestId = newId('req_');
    const { tokens, generationMs } = own;
    billed += 1;
    const used = billed * tokens;
    if (used >= threshold && used - tokens < threshold)
      notify('usage_threshold', { usage: used, threshold });
    const values = { requestId, result: `About ${prompt}`, model: 'writer-1', totalTokens: tokens };
    const done = placed(names, { status: words.done, ...values });
    const isAsynchronous = url !== undefined;
    const started = placed(names, { status: words.started, requestId });
    generations.set(requestId, isAsynchronous ? started : done);
    if (!isAsynchronous) {
      await pause(generationMs);
      return good(statuses.done, done);
    }
    setTimeout(() => {
      generations.set(requestId, done);
      post(url, { ...own.callbackSays, ...done });
    }, generationMs);
    return good(statuses.started, started);
  }

  function createKey(body: Json): Answer {
    const [keyId, key] = [newId('key_'), random('live-')];
    const { name: keyName = 'unnamed' } = body;
    const made = placed(names, { keyId, keyName, createdAt: new Date().toISOString() });
    keys.set(keyId, made);
    validKeys.add(key);
    return good(statuses.created, { ...made, ...placed(names, { key }) });
  }

  function createHook({ event, url }: Json): Answer {
    if (typeof event !== 'string' || !isUrl(url))
      return error(statuses.invalid, 'invalid_request', 'event and url are required');
    const hookId = newId('hook_');
    const made = placed(names, { hookId, event, url, createdAt: new Date().toISOString() });
    hooks.set(hookId, made);
    targets.push({ event, url });
    return good(statuses.created, { ...made, ...placed(names, { secret }) });
  }

  const list = (items: ReadonlyMap<Id, Json>): Answer =>
    good(200, { items: [...items.values()], ...placed(names, { nextCursor: null }) });
  const remove = (items: Map<Id, Json>, id: Id): Answer =>
    items.delete(id) ? { status: statuses.removed } : missing(`${id}`);

  function route({ method, path, body = {} }: Asked): Answer | Promise<Answer> {
    const [name = '', at = ''] =
      Object.entries(paths).find(([, at]) => `${path}/`.startsWith(`${prefix}${at}/`)) ?? [];
    const rest = path.slice(`${prefix}${at}/`.length);
    const id = own.isNumbered ? Number(rest) : rest;
    const operation = `${method} ${name}${rest && '/#'}`;
    if (operation === 'POST generate') return generate(body);
    if (operation === 'POST keys') return createKey(body);
    if (operation === 'POST hooks') return createHook(body);
    if (operation === 'GET usage')
      return good(200, { used: billed * own.tokens, quota: 1000, period: 'month' });
    const others: Readonly<Record<string, () => Answer>> = {
      'GET generate': () => list(generations),
      'GET generate/#': () => {
        const found = generations.get(id);
        return found ? good(statuses.done, found) : missing(`${id}`);
      },
      'GET keys': () => list(keys),
      'DELETE keys/#': () => remove(keys, id),
      'GET hooks': () => list(hooks),
      'DELETE hooks/#': () => remove(hooks, id),
    };
    const answer = own.has.some((one) => one === operation) ? others[operation] : undefined;
    if (answer) return answer();
    return name ? error(statuses.otherMethod, 'no', operation) : missing(`${method} ${path}`);
  }

  async function respond(asked: Asked): Promise<Answer | 'lost'> {
    const { headers } = asked;
    const now = Math.floor(Date.now() / 1000);
    calls = now === second ? calls + 1 : 1;
    second = now;
    const { callsPerSecond = Number.POSITIVE_INFINITY, retryAfter = 1 } = own;
    if (calls > callsPerSecond) {
      const refused = error(429, 'rate_limited', 'Too many requests');
      return { ...refused, headers: { 'retry-after': `${retryAfter}` } };
    }
    const [header, before] = own.credential;
    const sent = `${headers[header]}`;
    if (!sent.startsWith(before) || !validKeys.has(sent.slice(before.length)))
      return error(401, 'unauthorized', 'The key is missing or invalid');
    const repeated = headers['idempotency-key'];
    if (own.refusesRepeats && typeof repeated === 'string') {
      if (repeats.has(repeated)) return error(409, 'conflict', 'It was seen');
      repeats.add(repeated);
    }
    const answer = await route(asked);
    if (!losesAnswer || answer.status >= 300) return answer;
    losesAnswer = false;
    return 'lost';
  }

  const service = await serve({ apiKey, secret }, respond);
  return {
    ...service,
    baseUrl: service.baseUrl + prefix,
    get billed() {
      return billed;
    },
    deliveries,
    loseNextAnswer() {
      losesAnswer = true;
    },
    payInvoice: () => notify('invoice_paid', { invoice: { status: 'paid', total: billed } }),
  };
}

/** An object with each value at the path that its name says. */
function placed(names: Names, values: Json): Json {
  const whole: Json = {};
  for (const [name, value] of Object.entries(values)) {
    const path = Object.hasOwn(names, name) ? names[name as keyof Names] : undefined;
    if (value === undefined || (path === undefined && name !== 'status')) continue;
    const members = (path ?? name).split('.');
    const last = members.pop() as string;
    let parent = whole;
    for (const member of members) {
      parent[member] ??= {};
      parent = parent[member] as Json;
    }
    parent[last] = value;
  }
  return whole;
}
