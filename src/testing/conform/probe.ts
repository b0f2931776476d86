import { withoutTrailing } from '../../clean-text.ts';
import { parseJson } from '../../options/values.ts';
import { clearTimer, elapsed, now, onAbort, randomId, setTimer } from '../../platform/driver.ts';
import { readUpTo } from '../../read-up-to.ts';
import { retryAfterOf } from '../../retry-after.ts';
import { routeOf } from './candidates.ts';
import { Facts } from './facts.ts';
import { type ConformanceOptions, Stop } from './options.ts';
import type { ReceivedDelivery } from './receiver.ts';
import { Redactor } from './redact.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
  /** The request, the status and the names in the body. */
  readonly shown: string;
}

/** One request. `path` is shown, with `id` in place of its placeholder. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly id?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` for a request without credentials. @default the key under test */
  readonly apiKey?: string | null;
  /** Removals are made even after the run was stopped. */
  readonly isRemoval?: true;
}

export const isOk = ({ status }: Reply) => status >= 200 && status < 300;
/** Whether the operation itself is not there. */
export const isMissing = ({ status }: Reply) => [404, 405, 501].includes(status);
export const isRefused = ({ status }: Reply) => status === 401 || status === 403;
/** Whether a response shows nothing: none came, or the service failed. */
export const isSilent = ({ status }: Reply) => status === 0 || status >= 500;
export const isInvalid = ({ status }: Reply) => status === 400 || status === 422;

export const isKeyHeader = ({ credential: [header] }: Probe) => header === 'x-api-key';

/** Never resolves: for a callback URL when there is no receiver. */
const nowhere = 'https://callback.invalid/';
const maxRequests = 150;
const maxBytes = 256 * 1024;

export class Probe {
  readonly facts: Facts;
  readonly redactor = new Redactor();
  readonly id = `conform-${randomId()}`;
  /** How the key is sent; the first place is tried first. */
  credential: readonly [header: string, prefix: string] = ['x-api-key', ''];
  requests = 0;
  tokens = 0;
  #waitedMs = 0;
  #unanswered = 0;
  #left: readonly string[] = [];
  /** What was not tried because the tokens of the run were used. */
  readonly unpaid = new Set<string>();
  readonly timeoutMs: number;
  readonly spend: number;

  readonly options: ConformanceOptions;

  constructor(options: ConformanceOptions) {
    this.options = options;
    this.facts = new Facts(options.deployment);
    this.timeoutMs = options.timeoutMs ?? 60_000;
    this.spend = options.spend ?? 2000;
    this.redactor.add(options.apiKey);
    this.redactor.add(options.secret);
  }

  get base(): string {
    return withoutTrailing(this.options.baseUrl, '/');
  }

  get generatePath(): string {
    return `${this.facts.value('paths', 'generateContent') ?? routeOf('generateContent')[1]}`;
  }

  /** Sends a request, and again when the service asks to wait and the budget allows it. */
  async send(ask: Ask): Promise<Reply> {
    for (let backoffMs = 1000; ; backoffMs *= 2) {
      const reply = await this.#once(ask);
      const isLimit =
        reply.status === 429 || (reply.status === 503 && reply.headers.has('retry-after'));
      if (!isLimit) return reply;
      const waitMs = retryAfterOf(reply.headers, now()) ?? backoffMs;
      this.#waitedMs += waitMs;
      if (waitMs > this.timeoutMs || this.#waitedMs > this.timeoutMs * 4) {
        const seconds = Math.ceil(waitMs / 1000);
        throw new Stop(
          `${reply.shown}: it asks to wait ${seconds} s, longer than --timeout allows. Run it again later.`,
          seconds,
        );
      }
      await this.pause(waitMs);
    }
  }

  async #once({
    method,
    path,
    id = '',
    body,
    headers,
    apiKey = this.options.apiKey,
    isRemoval,
  }: Ask): Promise<Reply> {
    if (this.options.signal?.aborted && !isRemoval) throw new Stop('It was stopped.');
    if (this.#unanswered > 1) throw new Stop('The service no longer responds.');
    if (this.requests >= maxRequests && !isRemoval)
      throw new Stop(`${maxRequests} requests were sent.`);
    this.requests += 1;
    const [header, prefix] = this.credential;
    const url = this.base + path.replace(/\{\w+\}/, encodeURIComponent(id));
    const request = {
      method,
      body: body ? JSON.stringify(body) : null,
      headers: {
        accept: 'application/json',
        ...(apiKey !== null && { [header]: prefix + apiKey }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    };
    const answer = await this.#fetch(url, request, isRemoval ? undefined : this.options.signal);
    const { status, text } = answer;
    this.#unanswered = status === 0 ? this.#unanswered + 1 : 0;
    const parsed = parseJson(text);
    const type = answer.headers.get('content-type')?.split(';')[0] ?? 'no body';
    const seen =
      status === 0
        ? `no response (${this.redactor.text(text)})`
        : `${status} ${parsed === undefined ? type : this.redactor.shape(parsed)}`;
    return { ...answer, body: parsed, shown: `${method} ${this.redactor.text(path)} → ${seen}` };
  }

  /** The response with the beginning of its body; the status 0 and the reason if none arrived. */
  async #fetch(url: string, init: RequestInit, stop: AbortSignal | undefined) {
    const ending = new AbortController();
    const timer = setTimer(() => ending.abort(new Error('it took too long')), this.timeoutMs);
    const unfollow = onAbort(stop, () => ending.abort(stop?.reason));
    try {
      const request = new Request(url, { ...init, redirect: 'manual', signal: ending.signal });
      const { status, headers, body } = await (this.options.fetch ?? fetch)(request);
      const { bytes } = body ? await readUpTo(body, maxBytes) : { bytes: new Uint8Array() };
      return { status, headers, text: new TextDecoder().decode(bytes) };
    } catch (error) {
      const { code, message } = Object(Object(error).cause ?? error);
      return { status: 0, headers: new Headers(), text: `${code ?? ''} ${message}`.trim() };
    } finally {
      clearTimer(timer);
      unfollow();
    }
  }

  /** Whether tokens are left for another generation. If not, what it would have shown is reported as not tried. */
  canSpend(what?: string): boolean {
    const isLeft = this.tokens + 50 <= this.spend;
    if (!isLeft && what !== undefined) this.unpaid.add(what);
    return isLeft;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimer(resolve, ms));
  }

  /** The URL of a callback; its mark comes back in the delivery. */
  callbackUrl(mark: string): string {
    const url = new URL(this.options.receiver?.url ?? nowhere);
    url.searchParams.set('conform', mark);
    return url.href;
  }

  async delivery(
    matches: (mark: string) => boolean,
    ms = this.timeoutMs,
  ): Promise<ReceivedDelivery | undefined> {
    const until = elapsed() + ms;
    const { receiver, signal } = this.options;
    for (;;) {
      const found = receiver?.deliveries.find(({ mark }) => matches(mark ?? ''));
      if (found || !receiver || elapsed() > until || signal?.aborted) return found;
      await this.pause(20);
    }
  }

  get left(): readonly string[] {
    return this.#left;
  }

  keep(what: string): void {
    this.#left = [...this.#left, what];
    this.options.onLeft?.(this.#left);
  }

  removed(what: string): void {
    this.#left = this.#left.filter((one) => one !== what);
    this.options.onLeft?.(this.#left);
  }
}
