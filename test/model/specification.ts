/**
 * What the service promises about idempotency, usage, callbacks, secrets and streams, as one small state and the calls
 * that change it. It shares no code with the server. Times are milliseconds on the service's clock.
 */
export interface Specification {
  now: number;
  /** Whether the receiver responds with 200, or else with 500. */
  receiverWorks: boolean;
  /** What was first sent with each idempotency key, and the generation that it began. */
  readonly keys: Map<string, { body: string; at: number; id: string }>;
  readonly generations: Map<string, Generation>;
  /** Newest first. */
  secrets: { value: string; until: number }[];
  /** Completed generations by month. */
  readonly completed: Map<string, number>;
}

export interface Generation {
  readonly delivery: Delivery;
  readonly at: number;
  /** Undefined while it is processing. */
  completedAt?: number;
}

export type Delivery = 'response' | 'callback' | 'stream';

export interface Call {
  readonly key: string | undefined;
  readonly prompt: string;
  readonly delivery: Delivery;
}

/** What a receiver got, and the status that it responded with. */
export interface Attempt {
  readonly at: number;
  readonly id: string;
  readonly body: string;
  /** In the order of the header. */
  readonly signatures: readonly string[];
  readonly timestamp: string;
  readonly status: number;
}

export const second = 1000;
const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Each generation takes this long if it has a callback, and costs this many tokens. */
export const processingTime = 2 * second;
export const cost = 10;
export const quota = 40;

export const newSpecification = (now: number, secret: string): Specification => ({
  now,
  receiverWorks: true,
  keys: new Map(),
  generations: new Map(),
  secrets: [{ value: secret, until: Number.POSITIVE_INFINITY }],
  completed: new Map(),
});

type Expected = { begins: true } | { replays: string } | { status: number; code: string };

/** A key repeats its first call for a day. A generation begins while the usage is below the quota. */
export function generate(spec: Specification, { key, ...body }: Call): Expected {
  const known = spec.keys.get(key ?? '');
  if (known && spec.now - known.at < day) {
    if (known.body === JSON.stringify(body)) return { replays: known.id };
    return { status: 422, code: 'idempotency_key_reused' };
  }
  if (usage(spec).used >= quota) return { status: 429, code: 'quota_exceeded' };
  return { begins: true };
}

/** Only a callback waits for the clock. */
export function begun(spec: Specification, { key, ...body }: Call, id: string): void {
  if (key) spec.keys.set(key, { body: JSON.stringify(body), at: spec.now, id });
  const generation: Generation = { delivery: body.delivery, at: spec.now };
  spec.generations.set(id, generation);
  if (body.delivery !== 'callback') complete(spec, generation, spec.now);
}

/** Usage counts what was completed in the calendar month, in UTC. */
export function usage({ completed, now }: Specification): { used: number; requests: number } {
  const requests = completed.get(monthOf(now)) ?? 0;
  return { used: requests * cost, requests };
}

export function advance(spec: Specification, ms: number): void {
  spec.now += ms;
  for (const generation of spec.generations.values()) {
    const at = generation.at + processingTime;
    if (generation.completedAt === undefined && at <= spec.now) complete(spec, generation, at);
  }
}

/** A second rotation during an overlap needs `force`. */
export const canRotate = ({ secrets: [, previous], now }: Specification, force: boolean) =>
  force || !previous || previous.until <= now;

export function rotated(spec: Specification, value: string, overlapSeconds: number): void {
  const [current = { value }] = spec.secrets;
  const previous = { value: current.value, until: spec.now + overlapSeconds * second };
  spec.secrets = [{ value, until: Number.POSITIVE_INFINITY }, previous];
}

/** The secrets that sign at a time, newest first. */
export const secretsAt = ({ secrets }: Specification, at: number): string[] =>
  secrets.filter(({ until }) => at < until).map(({ value }) => value);

/** After each failed attempt, the next one comes this much later, give or take a fifth; the tenth is the last. */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  ...[2, 5, 10, 14, 20, 24].map((h) => h * hour),
];

/**
 * What is wrong with the attempts to deliver one callback. Right is: the first one when the generation is complete, the
 * next ones on schedule until one succeeds, all with the same id and body.
 */
export function faultOf(
  { now }: Specification,
  { completedAt, delivery }: Generation,
  attempts: readonly Attempt[],
): string | undefined {
  const [first] = attempts;
  if (delivery !== 'callback' || completedAt === undefined) return first && 'nothing is due';
  if (first?.at !== completedAt) return 'the first attempt comes at completion';
  for (const [index, { at, id, body, status, timestamp }] of attempts.entries()) {
    if (id !== first.id || body !== first.body) return 'each attempt sends the same message';
    if (timestamp !== String(Math.floor(at / second)))
      return 'the timestamp is that of the attempt';
    const next = attempts[index + 1];
    const delay = delays[index];
    if (status === 200 || delay === undefined) return next && 'nothing follows the end';
    if (!next) return now > at + 1.2 * delay + 1 ? 'an attempt is missing' : undefined;
    if (Math.abs(next.at - at - delay) > 0.2 * delay + 1) return 'an attempt is off schedule';
  }
  return undefined;
}

function complete({ completed }: Specification, generation: Generation, at: number): void {
  generation.completedAt = at;
  completed.set(monthOf(at), (completed.get(monthOf(at)) ?? 0) + 1);
}

const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
