import type { Deployment } from '../../deployment.ts';
import { toOurs, toTheirs } from '../../deployment-names.ts';
import { routes } from '../../generated/routes.ts';
import { isObject, isText, longestTimerMs } from '../../option-rules.ts';
import { clearTimer, elapsed, now, onAbort, randomId, setTimer } from '../../platform/driver.ts';
import type { OperationId } from '../../types.ts';
import type { ConformanceOptions } from './clause.ts';
import { checkOwnBody } from './own-body.ts';
import type { ReceivedDelivery } from './receiver.ts';
import { redactExchange } from './redact-exchange.ts';
import { at, findFields, findWrap, mergeLines, parseJson, type Wanted, wanted } from './shapes.ts';

/** What shows it. */
export interface Evidence {
  readonly exchange: string;
}

/** A response, or why there is none. */
export interface Reply extends Evidence {
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON; `undefined` if it is none. */
  readonly body: unknown;
}

export interface Send {
  /** Sent as if this were known about the service too. */
  readonly as?: Deployment;
  /** Breaks the contract on purpose; otherwise a body that does is a fault of this suite. */
  readonly isInvalid?: true;
  /** Values of the placeholders in the operation's path. */
  readonly params?: readonly string[];
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` for a request without credentials. @default the key under test */
  readonly apiKey?: string | null;
  /** Removals are made even when the budget is used up. */
  readonly isRemoval?: boolean;
}

/** What a run made. */
export interface Made {
  /** What it is, for the user. */
  what: string;
  /** Removes it; without this it stays. */
  remove?: () => Promise<Reply>;
}

/** How something is created. */
interface Creation {
  readonly operation: OperationId;
  readonly removal: OperationId;
  /** What it is, for the user. */
  readonly what: string;
  readonly body: object;
  /** What is returned only here. */
  readonly secret: Wanted;
  isTaken(reply: Reply): boolean;
  /** What to try if it is not. */
  others(first: Reply): readonly Deployment[];
}

export const isOk = ({ status }: Reply) => status >= 200 && status < 300;

/** Ends a clause that cannot be judged. */
export class NotObservable extends Error {}

export const notStopped = 'a run that is not stopped';

/** For each removal after the deadline. */
const removalMs = 1000;
const maxBytes = 256 * 1024;

/** How many requests a run sends at most. What writes make is also checked and removed. */
export const budgetOf = ({ allowWrites = false }: Pick<ConformanceOptions, 'allowWrites'>) =>
  allowWrites ? 30 : 25;

/** The prompt of each generation: a model responds with few tokens. */
export const prompt = 'Say OK in 8 words.';

export type Session = ReturnType<typeof createSession>;

/** What the clauses of one run share: the requests, what was found so far, and what is to be removed. */
export function createSession(options: ConformanceOptions) {
  const { timeoutMs = 5000, deadlineMs = 20_000, patienceMs = 8000, spend = 1000 } = options;
  const { sleep = (ms: number) => new Promise<void>((resolve) => setTimer(resolve, ms)) } =
    options.clock ?? {};
  const started = elapsed();
  const budget = budgetOf(options);
  const secrets = new Set([options.apiKey, options.secret ?? []].flat());
  let made: readonly Made[] = [];
  const memory = new Map<string, Promise<unknown>>();
  const knows = options.deployment ?? {};
  /** What the clauses read. */
  const state = {
    base: options.url.replace(/\/+$/, ''),
    found: {} as Deployment,
    requests: 0,
    /** Tokens. */
    spent: 0,
    /** How many generations were made. */
    generations: 0,
    /** The `Date` header of the last response. */
    date: null as string | null,
  };
  let unanswered = 0;
  let dearest = 50;
  let isBare = false;

  const left = () => made.map(({ what }) => what).reverse();
  const keep = (all: typeof made) => {
    made = all;
    options.onLeft?.(left());
  };
  const drop = (note: Made) => keep(made.filter((one) => one !== note));

  const inOurs = (operation: OperationId | 'WebhookContent', body: unknown) =>
    toOurs(state.found, operation, structuredClone(body));

  /** Written in our names: the deployment's own ones are put in here, as the client does it. */
  const inTheirNames = (operation: OperationId, { as = {}, params = [], ...how }: Send) => {
    const names = mergeLines(state.found, as);
    const [method = '', template = ''] = routes[operation].split(' ');
    const values = [...params];
    const path = (names.paths?.[operation] ?? knows.paths?.[operation] ?? template).replace(
      /\{.+?\}/g,
      () => encodeURIComponent(values.shift() ?? ''),
    );
    if (!how.isInvalid) checkOwnBody(operation, how.body);
    const { event } = Object(how.body);
    const body = how.body && {
      ...toTheirs(names, operation, how.body),
      ...(event && { event: names.eventNames?.[event] ?? event }),
    };
    const url = (as.baseUrl ?? state.base) + path + (how.query ?? '');
    return { method, url, body: body && JSON.stringify(body) };
  };

  /** What a request would need that is not a removal. */
  function missing(msLeft: number): string | undefined {
    if (options.signal?.aborted) return notStopped;
    if (unanswered > 1) return 'a server that responds';
    if (msLeft <= 0) return `more than ${deadlineMs / 1000} s`;
    if (state.requests >= budget) return `more than the budget of ${budget} requests`;
    return undefined;
  }

  async function send(operation: OperationId, how: Send = {}): Promise<Reply> {
    const shown = inTheirNames(operation, how);
    const { apiKey = options.apiKey, isRemoval } = how;
    const msLeft = deadlineMs - (elapsed() - started);
    const needed = isRemoval ? undefined : missing(msLeft);
    if (needed) throw new NotObservable(needed);
    state.requests += 1;
    // Edge runtimes have no AbortSignal.any.
    const ending = new AbortController();
    const limitMs = Math.min(msLeft > 0 ? timeoutMs : removalMs, longestTimerMs);
    const late = () => new DOMException(`${limitMs} ms are over`, 'TimeoutError');
    const timer = setTimer(() => ending.abort(late()), limitMs);
    const stop = isRemoval ? undefined : options.signal;
    const unfollow = onAbort(stop, () => ending.abort(stop?.reason));
    const { url, ...init } = shown;
    const request = new Request(url, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(apiKey !== null && { 'x-api-key': apiKey }),
        ...(how.body && { 'content-type': 'application/json' }),
        ...how.headers,
      },
      signal: ending.signal,
    });
    const reply = (status: number, headers: Headers, text: string): Reply => ({
      status,
      headers,
      text,
      body: /json/i.test(headers.get('content-type') ?? '') ? parseJson(text) : undefined,
      exchange: redactExchange(shown, secrets, { status, text }),
    });
    try {
      const response = await (options.fetch ?? fetch)(request);
      state.date = response.headers.get('date');
      const text = await readText(response);
      unanswered = 0;
      return reply(response.status, response.headers, text);
    } catch (error) {
      unanswered += 1;
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const { code, name, message } = cause as Error & { readonly code?: string };
      return reply(0, new Headers(), `${code ?? name ?? 'error'}: ${message}`);
    } finally {
      clearTimer(timer);
      unfollow();
    }
  }

  return Object.assign(state, {
    options,
    /** What is known beforehand. */
    knows,
    patienceMs,
    now: options.clock?.now ?? now,
    send,
    /** Begins the idempotency keys of this run. */
    id: `conform-${randomId()}`,

    /** Adds lines of the deployment file; later clauses are judged with them. */
    learn(lines: Deployment): Deployment {
      if (lines.baseUrl) state.base = lines.baseUrl;
      state.found = mergeLines(state.found, lines);
      return lines;
    },

    /** The same promise for the same name: requests that several clauses look at are sent once. */
    once<T>(name: string, make: () => Promise<T>): Promise<T> {
      if (!memory.has(name)) memory.set(name, make());
      return memory.get(name) as Promise<T>;
    },

    /** Sends something our way, then in each other way until one is taken, whose lines are learned. */
    async trying<T extends Reply>(
      make: (as: Deployment) => Promise<T>,
      isTaken: (reply: Reply) => boolean,
      others: (first: Reply) => readonly Deployment[],
    ): Promise<{ readonly reply: T; readonly lines?: Deployment }> {
      const reply = await make({});
      if (isTaken(reply)) return { reply };
      for (const lines of others(reply)) {
        const other = await make(lines);
        if (isTaken(other)) return { reply: other, lines: this.learn(lines) };
      }
      return { reply };
    },

    /** Replaces what `once` remembers, or drops it. */
    remember(name: string, reply?: Reply) {
      if (reply) memory.set(name, Promise.resolve(reply));
      else memory.delete(name);
    },

    /** Sends a generation if there are tokens left for one. */
    async generate(body: object, how: Send = {}): Promise<Reply> {
      if (state.spent + dearest > spend) {
        throw new NotObservable(`more tokens (--spend): ${state.spent} of ${spend} are used`);
      }
      const reply = await send('generateContent', { ...how, body });
      if (isOk(reply)) {
        const total = at(inOurs('generateContent', reply.body), 'usage.totalTokens');
        // A stream repeats itself in every event.
        const cost = Number(total ?? Math.ceil(reply.text.length / 16));
        state.generations += 1;
        state.spent += cost;
        dearest = Math.max(dearest, cost);
      }
      return reply;
    },

    /**
     * Reads a body in our names. What is not at our name is searched by its shape; what was found becomes lines of the
     * deployment file.
     */
    read(
      operation: OperationId | 'WebhookContent',
      body: unknown,
      all: readonly Wanted[],
      names: readonly string[] = all.map(({ name }) => name),
    ) {
      const isSearched = !state.found.wrap && !isBare && isObject(body);
      const wrap = isSearched ? findWrap(body, names) : undefined;
      isBare ||= isSearched && !wrap;
      if (wrap) this.learn({ wrap });
      const inner = Object(body)[state.found.wrap ?? ''];
      const whole = isObject(inner) ? inner : body;
      const ours = inOurs(operation, body);
      const fields = findFields(whole, ours, all, state.found.fields ?? {}, knows.fields);
      const isRenamed = Object.keys(fields).length > 0;
      if (isRenamed) this.learn({ fields });
      const lines: Pick<Deployment, 'wrap' | 'fields'> = {
        ...(wrap && { wrap }),
        ...(isRenamed && { fields }),
      };
      return { value: Object(inOurs(operation, body)) as Record<string, unknown>, lines };
    },

    /** A delivery as evidence. */
    show({ method, body }: ReceivedDelivery): Evidence {
      const { url = '' } = options.receiver ?? {};
      const text = new TextDecoder().decode(body);
      return { exchange: redactExchange({ method, url, body: text }, secrets) };
    },

    /** Keeps a secret out of every exchange. */
    keepSecret(secret: unknown) {
      if (typeof secret === 'string' && secret.length > 7) secrets.add(secret);
    },

    /** Waits until a delivery arrives; `undefined` if none does. */
    async waitFor(
      matches: (delivery: ReceivedDelivery) => boolean,
      ms = patienceMs,
    ): Promise<ReceivedDelivery | undefined> {
      const step = options.clock ? 500 : 25;
      for (let waited = 0; ; waited += step) {
        const delivery = options.receiver?.deliveries.find(matches);
        if (delivery || waited >= ms) return delivery;
        if (options.signal?.aborted) return undefined;
        if (!options.clock && elapsed() - started > deadlineMs) return undefined;
        await sleep(step);
      }
    },

    /** Creates something, as it is taken. What shows it only once and its id are found by their shape. */
    async create({ operation, removal, what, body, secret, isTaken, others }: Creation) {
      const make = async (as: Deployment) => {
        // Before: the request can arrive although no response does.
        const note: Made = { what: `perhaps ${what}: no response said whether it was created` };
        keep([...made, note]);
        const reply = await send(operation, { body, as }).catch((error: unknown) => {
          // Thrown only before anything is sent.
          drop(note);
          throw error;
        });
        if (isOk(reply)) note.what = what;
        if (reply.status >= 300 && reply.status < 500) drop(note);
        else keep(made);
        return { ...reply, note };
      };
      const { reply, lines: moved } = await this.trying(make, isTaken, others);
      const { note } = reply;
      const fields = [secret, wanted.id];
      const { value, lines } = this.read(operation, isOk(reply) ? reply.body : undefined, fields);
      this.keepSecret(value[secret.name]);
      const { id } = value;
      if (!isText(id)) return { reply, moved, lines, value };
      const remove = async () => {
        const removed = await send(removal, { params: [id], isRemoval: true });
        if (isOk(removed)) drop(note);
        return removed;
      };
      Object.assign(note, { what: `${note.what} (${id})`, remove });
      keep(made);
      return { reply, moved, lines, value, remove };
    },

    /** Removes in reverse order what was made; resolves to what is left. */
    async cleanUp(): Promise<readonly string[]> {
      for (const { remove } of made.toReversed()) await remove?.().catch(() => {});
      return left();
    },
  });
}

/** The beginning of a body; a server that never stops is left. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes > maxBytes) {
      await reader.cancel();
      return text;
    }
  }
}
