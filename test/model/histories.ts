import fc from 'fast-check';
import { expect } from 'vitest';
import { callback, type Service, signatureOf } from './doors.ts';
import * as spec from './specification.ts';

type Command = fc.AsyncCommand<History, Service>;

/** The specification's state, and what the calls of this history have shown. */
export interface History extends spec.Specification {
  readonly attempts: Map<string, spec.Attempt[]>;
  readonly texts: Map<string, string | undefined>;
  readonly streams: Map<string, readonly Event[]>;
}

export async function newHistory({ mock, call }: Service): Promise<History> {
  const { secret } = (await (await call('/api/webhooks/signing-secret')).json()) as Body;
  const { now } = mock.clock;
  const shown = { texts: new Map(), streams: new Map() };
  return { ...spec.newSpecification(now(), `${secret}`), attempts: new Map(), ...shown };
}

const delivery = fc.constantFrom<spec.Delivery>('response', 'callback', 'callback', 'stream');
const key = fc.constantFrom(undefined, 'a', 'b');
const prompt = fc.constantFrom('one', 'two');
const time = fc.constantFrom(
  ...[spec.second, 2 * spec.second, 10 * spec.second, spec.hour, 7 * spec.hour],
  ...[spec.day, 4 * spec.day],
);

/** The calls and events that a history draws from. */
export const commands: fc.Arbitrary<Command>[] = [
  fc.record({ key, prompt, delivery }).map((call) => command('generate', call, generate)),
  fc.record({ key, prompt, delivery }).map((call) => command('generate', call, generate)),
  fc.record({ after: fc.nat(40), which: fc.nat(9) }).map((call) => command('read', call, read)),
  fc
    .record({ overlapSeconds: fc.constantFrom(0, 60, 86_400), force: fc.boolean() })
    .map((call) => command('rotate', call, rotate)),
  time.map((ms) => command('advance', ms, advance)),
  time.map((ms) => command('advance', ms, advance)),
  fc.boolean().map((works) => command('receiver works', works, setReceiver)),
  fc.constant(command('crash', undefined, (_, service) => service.restart())),
];

async function generate(history: History, { call }: Service, given: spec.Call): Promise<void> {
  const expected = spec.generate(history, given);
  const { key, prompt, delivery } = given;
  const response = await call('/api/ai/content/generate', {
    method: 'POST',
    ...(key && { headers: { 'idempotency-key': key } }),
    body: JSON.stringify({
      prompt,
      ...(delivery === 'callback' && { webhookUrl: callback }),
      ...(delivery === 'stream' && { stream: true }),
    }),
  });
  if ('code' in expected) {
    const { code } = (await response.json()) as Body;
    return expect({ status: response.status, code }).toEqual(expected);
  }
  expect(response.status).toBe(delivery === 'callback' ? 202 : 200);
  const replayed = 'replays' in expected;
  expect(response.headers.get('idempotency-replayed')).toBe(replayed ? 'true' : null);
  const { id, events, text } = await resultOf(response, delivery);
  if (replayed) expect(id).toBe(expected.replays);
  else {
    expect(history.generations.has(id)).toBe(false);
    spec.begun(history, given, id);
    history.texts.set(id, text);
    if (events) history.streams.set(id, events);
  }
  expect(text).toBe(history.texts.get(id));
}

async function resultOf(response: Response, delivery: spec.Delivery) {
  if (delivery !== 'stream') {
    const { requestId, result } = (await response.json()) as Body;
    return { id: `${requestId}`, text: result };
  }
  const events = eventsOf(await response.text());
  expect(events.at(-1)?.data.result).toBe(textOf(events));
  return { id: `${events[0]?.data.requestId}`, events, text: textOf(events) };
}

/** Reads a stream again from after one of its events: with those before, it is the whole text. */
async function read(history: History, { call }: Service, { after, which }: Reading): Promise<void> {
  const [id, first] = [...history.streams][which % history.streams.size] ?? [];
  if (first === undefined) return;
  const { id: last, data } = first[after % first.length] as Event;
  const headers = { accept: 'text/event-stream', 'last-event-id': `${last}` };
  const response = await call(`/api/ai/content/generate/${id}`, { headers });
  const rest = eventsOf(await response.text());
  const ids = rest.map((event) => event.id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b).filter((next) => next > last));
  const text = textOf([...first.slice(0, (after % first.length) + 1), ...rest]);
  expect(text).toBe(history.texts.get(`${id}`));
  expect((rest.at(-1)?.data ?? data).result).toBe(text);
}

async function rotate(history: History, { call }: Service, given: Rotation): Promise<void> {
  const allowed = spec.canRotate(history, given.force);
  const response = await call('/api/webhooks/signing-secret/rotate', {
    method: 'POST',
    body: JSON.stringify(given),
  });
  const { code, secret } = (await response.json()) as Body;
  expect([response.status, code]).toEqual(allowed ? [200, undefined] : [409, 'invalid_state']);
  if (allowed) spec.rotated(history, `${secret}`, given.overlapSeconds);
}

async function advance(history: History, { mock }: Service, ms: number): Promise<void> {
  await mock.clock.advance(ms);
  spec.advance(history, ms);
}

async function setReceiver(history: History, service: Service, works: boolean): Promise<void> {
  history.receiverWorks = works;
  service.receiverWorks = works;
}

/** After each step: usage, generations and what the receiver got. */
async function compare(history: History, { mock, call, received }: Service): Promise<void> {
  expect(mock.clock.now()).toBe(history.now);
  expect(await (await call('/api/usage')).json()).toMatchObject(spec.usage(history));
  const { data } = (await (await call('/api/ai/content/generate?limit=100')).json()) as List;
  expect(new Map(data.map(({ requestId, status }) => [requestId, status]))).toEqual(
    new Map(
      [...history.generations].map(([id, { completedAt }]) => [
        id,
        completedAt === undefined ? 'processing' : 'completed',
      ]),
    ),
  );
  for (const [id, news] of received) {
    for (const attempt of news) {
      const secrets = spec.secretsAt(history, attempt.at);
      expect(attempt.signatures).toEqual(secrets.map((secret) => signatureOf(attempt, secret)));
    }
    history.attempts.set(id, [...(history.attempts.get(id) ?? []), ...news]);
  }
  received.clear();
  for (const [id, generation] of history.generations)
    expect(spec.faultOf(history, generation, history.attempts.get(id) ?? [])).toBe(undefined);
}

function command<Value>(
  name: string,
  value: Value,
  run: (history: History, service: Service, value: Value) => Promise<void>,
): Command {
  return {
    check: () => true,
    async run(history, service) {
      await run(history, service, value);
      await compare(history, service);
    },
    toString: () => `${name} ${JSON.stringify(value)}`,
  };
}

interface Body {
  readonly code?: string;
  readonly requestId?: string;
  readonly status?: string;
  readonly result?: string;
  readonly delta?: string;
  readonly secret?: string;
}
type List = { readonly data: readonly Body[] };
type Rotation = { readonly overlapSeconds: number; readonly force: boolean };
type Reading = { readonly after: number; readonly which: number };

interface Event {
  readonly id: number;
  readonly data: Body;
}

const eventsOf = (text: string): Event[] =>
  [...text.matchAll(/^id: (\d+)\nevent: .+\ndata: (.+)\n\n/gm)].map(([, id, data]) => ({
    id: Number(id),
    data: JSON.parse(`${data}`) as Body,
  }));
const textOf = (events: readonly Event[]) => events.map(({ data }) => data.delta ?? '').join('');
