import { defineDeployment } from '../../deployment/define-deployment.ts';
import type { DeploymentJson } from '../../deployment-port.ts';
import { routes } from '../../generated/routes.ts';
import { defined, isObject, isText } from '../../options/values.ts';
import { elapsed, now, randomId, setTimer } from '../../platform/driver.ts';
import type { OperationId } from '../../types.ts';
import type { ConformanceOptions } from './clause.ts';
import { checkOwnBody } from './own-body.ts';
import type { ReceivedDelivery } from './receiver.ts';
import { redact, redactExchange } from './redact-exchange.ts';
import { type Answer, sendRequest } from './send-request.ts';
import { at, findFields, findWrap, mergeLines, parseJson, type Wanted } from './shapes.ts';

/** What shows it. */
export interface Evidence {
  readonly exchange: string;
}

/** A response, and what it says in our names. */
export interface Reply extends Answer, Evidence {
  /** The parsed JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
  /** The body of a good response in our names. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The lines of the deployment file that this response gave away. */
  readonly lines: DeploymentJson;
  /** The lines under which the request was accepted, if it was not in our way. */
  readonly moved?: DeploymentJson;
  /** The field that took the callback URL. */
  readonly field?: string;
  /** Removes what was created. */
  readonly remove?: () => Promise<Reply>;
  /** The response to the removal that came before. */
  readonly removal?: Reply;
}

/** A delivery, and what shows it. */
export interface Delivery extends ReceivedDelivery, Evidence {
  readonly text: string;
  /** The parsed JSON; `undefined` if it is not JSON. */
  readonly payload: unknown;
}

export interface Send {
  /** Sent as if this were known about the service too. */
  readonly as?: DeploymentJson;
  /** The fields that are searched by their shape if they are not at our names. */
  readonly reads?: readonly Wanted[];
  /** Breaks the contract on purpose; otherwise a body that does is a fault of this suite. */
  readonly isInvalid?: true;
  /** The id in the operation's path. */
  readonly id?: string;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` for a request without credentials. @default the key under test */
  readonly apiKey?: string | null;
  /** Removals are made even when the budget is used up. */
  readonly isRemoval?: true;
}

/** What a run made. */
interface Made {
  /** What it is, for the user. */
  what: string;
  /** Removes it; without this it stays. */
  remove?: () => Promise<Reply>;
}

/** How something is created. */
interface Creation extends Send {
  readonly removal: OperationId;
  /** What it is, for the user. */
  readonly what: string;
  /** Whether the way was right. */
  isTaken(reply: Reply): boolean;
  /** What to try if it was not. */
  others(first: Reply): readonly DeploymentJson[];
}

export const isOk = ({ status }: Answer) => status >= 200 && status < 300;

/** Ends a clause that cannot be judged. */
export class NotObservable extends Error {}

export const notStopped = 'a run that is not stopped';

const defaults = {
  allowWrites: false,
  spend: 1000,
  timeoutMs: 5000,
  deadlineMs: 20_000,
  patienceMs: 8000,
  fetch: (request: Request) => fetch(request),
};

/** For each removal after the deadline. */
const removalMs = 1000;

/** How many requests a run sends at most, besides those that remove what it made. */
export const budget = 25;

/** What the clauses of one run share: the requests, what was found so far, and what is to be removed. */
export class Session {
  readonly options: ConformanceOptions & typeof defaults;
  /** What is known beforehand: it is tried first. */
  readonly knows: DeploymentJson;
  /** Begins the idempotency keys of this run. */
  readonly id = `conform-${randomId()}`;
  /** The lines of the deployment file so far. */
  found: DeploymentJson = {};
  requests = 0;
  tokens = 0;
  generations = 0;
  serverDate: string | null = null;
  readonly #started = elapsed();
  readonly #secrets: Set<string>;
  #made: readonly Made[] = [];
  #removals = 0;
  #unanswered = 0;
  /** Tokens of the dearest generation. */
  #dearest = 50;
  /** Whether a body was seen that is in no wrapper. */
  #isBare = false;

  constructor(options: ConformanceOptions) {
    this.options = { ...defaults, ...defined(options) };
    this.knows = options.deployment?.json ?? {};
    this.#secrets = new Set([options.apiKey, options.secret ?? []].flat());
  }

  get base(): string {
    return this.found.baseUrl ?? this.options.url.replace(/\/+$/, '');
  }

  /** Text from the service, for the report. */
  redact(text: string): string {
    return redact(text, this.#secrets);
  }

  now(): number {
    return (this.options.clock?.now ?? now)();
  }

  /** Sends a request, written in our names. */
  async send(operation: OperationId, how: Send = {}): Promise<Reply> {
    const { apiKey = this.options.apiKey, isRemoval, headers, reads } = how;
    const { url, method, body } = this.#inTheirNames(operation, how);
    const { timeoutMs, deadlineMs, signal } = this.options;
    const msLeft = deadlineMs - (elapsed() - this.#started);
    const obstacle = isRemoval ? undefined : this.#obstacle(msLeft);
    if (obstacle) throw new NotObservable(obstacle);
    this.requests += 1;
    if (isRemoval) this.#removals += 1;
    const answer = await sendRequest(
      this.options.fetch,
      url,
      {
        method,
        body: body ?? null,
        headers: {
          accept: 'application/json',
          ...(apiKey !== null && { 'x-api-key': apiKey }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      { limitMs: msLeft > 0 ? timeoutMs : removalMs, stop: isRemoval ? undefined : signal },
    );
    const { status, text } = answer;
    this.#unanswered = status === 0 ? this.#unanswered + 1 : 0;
    if (status > 0) this.serverDate = answer.headers.get('date');
    const isJson = /json/i.test(answer.headers.get('content-type') ?? '');
    const reply = { ...answer, body: isJson ? parseJson(text) : undefined, value: {}, lines: {} };
    const read = isOk(answer) && this.read(operation, reply.body, reads);
    const exchange = redactExchange({ method, url, body }, this.#secrets, { status, text });
    return { ...reply, ...read, exchange };
  }

  /** What a request would need that is not a removal. */
  #obstacle(msLeft: number): string | undefined {
    if (this.options.signal?.aborted) return notStopped;
    if (this.#unanswered > 1) return 'a server that responds';
    if (msLeft <= 0) return `more than ${this.options.deadlineMs / 1000} s`;
    if (this.requests - this.#removals >= budget)
      return `more than the budget of ${budget} requests`;
    return undefined;
  }

  /** The deployment's own names are put in here, as the client does it. */
  #inTheirNames(operation: OperationId, { as = {}, id = '', query = '', ...how }: Send) {
    const names = mergeLines(this.found, as);
    const [method = '', template = ''] = routes[operation].split(' ');
    const path = names.paths?.[operation] ?? this.knows.paths?.[operation] ?? template;
    const url = `${as.baseUrl ?? this.base}${path.replace(/\{.+?\}/, encodeURIComponent(id))}${query}`;
    if (!how.isInvalid) checkOwnBody(operation, how.body);
    if (!how.body) return { method, url };
    const body = namesIn(names).toTheirs.request(operation, how.body);
    return { method, url, body: JSON.stringify(body) };
  }

  /** Reads a body in our names. A field that is not there is searched by its shape, which gives lines of the file. */
  read(operation: OperationId | 'WebhookContent', body: unknown, fields: readonly Wanted[] = []) {
    const ours = () => {
      const { toOurs } = namesIn(this.found);
      return Object(
        operation === 'WebhookContent' ? toOurs.payload(body) : toOurs.response(operation, body),
      );
    };
    const lines: { wrap?: string; fields?: Record<string, string> } = {};
    if (fields.length > 0 && isObject(body)) {
      const names = fields.map(({ name }) => name);
      const wrap = this.found.wrap || this.#isBare ? undefined : findWrap(body, names);
      if (wrap) this.learn(Object.assign(lines, { wrap }));
      this.#isBare = !this.found.wrap;
      const inner = body[this.found.wrap ?? ''];
      const whole = isObject(inner) ? inner : body;
      const { fields: known = {} } = this.found;
      const renamed = findFields(whole, ours(), fields, known, this.knows.fields);
      if (Object.keys(renamed).length > 0) this.learn(Object.assign(lines, { fields: renamed }));
    }
    const value = ours() as Record<string, unknown>;
    // Kept out of every exchange from here on.
    for (const secret of [value['key'], value['secret']]) {
      if (isText(secret) && secret.length > 7) this.#secrets.add(secret);
    }
    return { value, lines: lines as DeploymentJson };
  }

  /** Adds lines of the deployment file; later clauses are judged with them. */
  learn(lines: DeploymentJson): DeploymentJson {
    this.found = mergeLines(this.found, lines);
    return lines;
  }

  /** Sends something in our way, then in each other way until one is taken, whose lines are learned. */
  async trying(
    make: (as: DeploymentJson) => Promise<Reply>,
    { isTaken, others }: Pick<Creation, 'isTaken' | 'others'>,
  ): Promise<Reply> {
    const reply = await make({});
    if (isTaken(reply)) return reply;
    for (const lines of others(reply)) {
      const other = await make(lines);
      if (isTaken(other)) return { ...other, moved: this.learn(lines) };
    }
    return reply;
  }

  /** Sends a generation if there are tokens left for one. */
  async generate(body: object, how: Send = {}): Promise<Reply> {
    const { spend } = this.options;
    if (this.tokens + this.#dearest > spend) {
      throw new NotObservable(`more tokens (--spend): ${this.tokens} of ${spend} are used`);
    }
    const reply = await this.send('generateContent', { ...how, body });
    if (isOk(reply)) {
      // A stream repeats itself in every event.
      const said = at(reply.value, 'usage.totalTokens');
      const isCount = typeof said === 'number' && said > 0;
      const total = isCount ? said : Math.ceil(reply.text.length / 16);
      this.generations += 1;
      this.tokens += total;
      this.#dearest = Math.max(this.#dearest, total);
    }
    return reply;
  }

  /** Creates something, as it is taken. It is removed at the end, unless a clause does that. */
  async create(operation: OperationId, { what, ...how }: Creation): Promise<Reply> {
    // Before: the request can arrive although no response does.
    const note: Made = { what: `perhaps ${what}: no response said whether it was created` };
    this.#keep([...this.#made, note]);
    const make = (as: DeploymentJson) => this.send(operation, { ...how, as });
    const before = this.requests;
    const reply = await this.trying(make, how).catch((error: unknown) => {
      // Nothing was sent, or it was refused; anything else was thrown while a response was read.
      if (this.requests === before || error instanceof NotObservable) this.#drop(note);
      throw error;
    });
    if (reply.status >= 300 && reply.status < 500) this.#drop(note);
    if (!isOk(reply)) return reply;
    const { id } = reply.value;
    note.what = isText(id) ? `${what} (${this.redact(id)})` : what;
    if (isText(id)) {
      note.remove = async () => {
        const removal = await this.send(how.removal, { id, isRemoval: true });
        if (isOk(removal)) this.#drop(note);
        return removal;
      };
    }
    this.#keep(this.#made);
    return { ...reply, ...(note.remove && { remove: note.remove }) };
  }

  /** Removes in reverse order what was made; resolves to what is left. */
  async cleanUp(): Promise<readonly string[]> {
    for (const { remove } of this.#made.toReversed()) await remove?.().catch(() => {});
    return this.#left();
  }

  #left = () => this.#made.map(({ what }) => what).reverse();
  #keep(made: readonly Made[]): void {
    this.#made = made;
    this.options.onLeft?.(this.#left());
  }
  #drop(note: Made): void {
    this.#keep(this.#made.filter((one) => one !== note));
  }

  /** Waits until a delivery arrives; `undefined` if none does. */
  async waitFor(
    matches: (delivery: ReceivedDelivery) => boolean,
    ms = this.options.patienceMs,
  ): Promise<Delivery | undefined> {
    const { clock, receiver, signal, deadlineMs } = this.options;
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimer(resolve, ms));
    const stepMs = clock ? 500 : 25;
    for (let waited = 0; ; waited += stepMs) {
      const delivery = receiver?.deliveries.find(matches);
      if (delivery) return this.#shown(delivery);
      const isLate = !clock && elapsed() - this.#started > deadlineMs;
      if (waited >= ms || isLate || signal?.aborted) return undefined;
      await (clock?.sleep ?? sleep)(stepMs);
    }
  }

  #shown(delivery: ReceivedDelivery): Delivery {
    const { url = '' } = this.options.receiver ?? {};
    const text = new TextDecoder().decode(delivery.body);
    const exchange = redactExchange({ method: delivery.method, url, body: text }, this.#secrets);
    return { ...delivery, text, payload: parseJson(text), exchange };
  }
}

/** Translates by the lines so far; lines that cannot work together translate nothing. */
export function namesIn({ fields, wrap, statuses, eventNames, webhookUrlField }: DeploymentJson) {
  try {
    return defineDeployment(
      defined({ fields, wrap, statuses, eventNames, webhookUrlField }) as DeploymentJson,
    );
  } catch {
    return defineDeployment({});
  }
}

/** A request that several clauses look at: a run sends it once. */
export function once<T>(make: (t: Session) => Promise<T>): (t: Session) => Promise<T> {
  const made = new WeakMap<Session, Promise<T>>();
  return (t) => {
    const promise = made.get(t) ?? make(t);
    made.set(t, promise);
    return promise;
  };
}
