import { createHmac } from 'node:crypto';
import { defaultToleranceS } from '../../src/webhooks/defaults.ts';
import { secret } from '../webhooks/support.ts';

/** One run of a receiver: its effects, and a clock that only the audit's waiting moves. */
export function createWorld() {
  let elapsed = 0;
  let failing = 0;
  const due: { at: number; task: () => void }[] = [];
  const world = {
    effects: 0,
    effect(body: string) {
      if (failing > 0) {
        failing -= 1;
        throw new Error('The database is down.');
      }
      if (JSON.parse(body).event === 'usage_threshold') world.effects += 1;
    },
    failNext() {
      failing += 1;
    },
    later: (ms: number, task: () => void) => void due.push({ at: elapsed + ms, task }),
    async wait(ms: number) {
      elapsed += ms;
      for (const one of due.splice(0)) {
        if (one.at <= elapsed) one.task();
        else due.push(one);
      }
      await turn();
    },
  };
  return world;
}
export type World = ReturnType<typeof createWorld>;
export type Handler = (request: Request) => Response | Promise<Response>;
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface Facts {
  readonly id: string;
  readonly time: string;
  readonly header: string;
  readonly bytes: Buffer;
}
export type Text = string | Buffer;

export const key = Buffer.from(secret.slice(6), 'base64');
export const digestOf = ({ id, time }: Facts, body: Text, ownKey: Text = key) =>
  createHmac('sha256', ownKey).update(`${id}.${time}.`).update(body).digest('base64');
export const listed = (header: string) =>
  header.split(' ').filter((entry) => entry.startsWith('v1,'));
export const age = (time: string) => Date.now() / 1000 - Number(time);
export const respond = (status: number) => new Response(null, { status });
export const textOf = ({ bytes }: Facts) => bytes.toString();

/** What the receivers have in common. A row changes one part. */
export interface Parts {
  readonly body: (facts: Facts) => Text;
  readonly key: Text;
  /** The signature of one entry of the header. */
  readonly equals: (given: string, expected: string) => boolean;
  readonly entries: (header: string) => readonly string[];
  readonly given: (entry: string) => string;
  readonly isFresh: (time: string) => boolean;
  readonly verify: (facts: Facts, parts: Parts) => boolean;
  readonly refused: number;
  readonly limit: number;
  readonly handle: (facts: Facts, world: World, seen: Set<string>) => Response | Promise<Response>;
}

export const usual: Parts = {
  body: ({ bytes }) => bytes,
  key,
  equals: (given, expected) => given === expected,
  entries: listed,
  given: (entry) => entry.slice(3),
  isFresh: (time) => /^\d+$/.test(time) && Math.abs(age(time)) <= defaultToleranceS,
  verify: (facts, parts) =>
    parts.isFresh(facts.time) &&
    !facts.id.includes('.') &&
    parts
      .entries(facts.header)
      .some((entry) =>
        parts.equals(parts.given(entry), digestOf(facts, parts.body(facts), parts.key)),
      ),
  refused: 400,
  limit: 1_048_576,
  handle: once((facts) => facts.id),
};

/** Remembers a key before the effect, and forgets it again if the effect fails. */
export function once(keyOf: (facts: Facts) => string, duplicate = 200): Parts['handle'] {
  return (facts, world, seen) => {
    if (seen.has(keyOf(facts))) return respond(duplicate);
    seen.add(keyOf(facts));
    try {
      world.effect(textOf(facts));
    } catch {
      seen.delete(keyOf(facts));
      return respond(500);
    }
    return respond(200);
  };
}

export function receiver(changes: Partial<Parts> = {}): (world: World) => Handler {
  const parts = { ...usual, ...changes };
  return (world) => {
    const seen = new Set<string>();
    return async (request) => {
      if (request.method !== 'POST') return respond(405);
      const header = (name: string) => request.headers.get(name) ?? '';
      const [id, time] = [header('webhook-id'), header('webhook-timestamp')];
      const signature = header('webhook-signature');
      // Another sender of Standard Webhooks sends only the header of the standard.
      const ours = request.headers.get('x-service-signature') ?? signature;
      const bytes = Buffer.from(await request.arrayBuffer());
      if (bytes.length > parts.limit) return respond(413);
      const facts = { id, time, header: signature, bytes };
      if (!id || !time || signature !== ours) return respond(parts.refused);
      if (!parts.verify(facts, parts)) return respond(parts.refused);
      try {
        JSON.parse(textOf(facts));
      } catch {
        return respond(422);
      }
      return parts.handle(facts, world, seen);
    };
  };
}

export type Row<Cases> = [name: string, cases: Cases, make: (world: World) => Handler];

export function attempt(effect: () => void): boolean {
  try {
    effect();
    return true;
  } catch {
    return false;
  }
}

/** Stores and acknowledges; the effect comes later, and again if it fails. */
export function queue(ms: number): Parts['handle'] {
  return (facts, world, seen) => {
    const work = () => {
      if (attempt(() => world.effect(textOf(facts)))) return;
      seen.delete(facts.id);
      world.later(ms, work);
    };
    if (!seen.has(facts.id)) world.later(ms, work);
    seen.add(facts.id);
    return respond(202);
  };
}
