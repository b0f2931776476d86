import { createWebhookHandler } from 'contentgen/webhooks';
import { Webhook } from 'standardwebhooks';
import { recorder, secret } from '../webhooks/support.ts';
import {
  attempt,
  once,
  type Parts,
  queue,
  type Row,
  receiver,
  respond,
  turn,
  type World,
} from './receivers.ts';

/** Verifies with the library of Standard Webhooks. */
export const official: Parts['verify'] = ({ id, time, header, bytes }) => {
  const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': header };
  return attempt(() => new Webhook(secret).verify(bytes, headers));
};

/** Handles an event of any type once. */
export const everyType: Parts['handle'] = (facts, world, seen) =>
  once(({ id }) => id)(
    { ...facts, bytes: Buffer.from('{"event":"usage_threshold"}') },
    world,
    seen,
  );

/** Each row: the style, the warnings, the receiver. */
export const right: Row<RegExp | undefined>[] = [
  ['an ordinary one', undefined, receiver()],
  ['202 for every delivery', undefined, receiver({ handle: once(({ id }) => id, 202) })],
  ['204 for duplicates', undefined, receiver({ handle: once(({ id }) => id, 204) })],
  ['404 for what it refuses', undefined, receiver({ refused: 404 })],
  ['500 for what it refuses', /rejects/, receiver({ refused: 500 })],
  ['409 for a copy in flight', undefined, receiver({ handle: inFlight(409) })],
  ['503 for a copy in flight', undefined, receiver({ handle: inFlight(503) })],
  ['a queue, effects 3 s later', undefined, receiver({ handle: queue(3000) })],
  [
    'one that compares decoded digests',
    /without its padding/,
    receiver({
      equals: (given, expected) =>
        Buffer.from(given, 'base64').equals(Buffer.from(expected, 'base64')),
    }),
  ],
  ['the official library', /not a number|other dots|not UTF-8/, receiver({ verify: official })],
  ['our handler', undefined, ours()],
  ['our handler with a queue', undefined, ours('queue')],
  [
    'one that is rate limited at first',
    undefined,
    (world) => {
      let calls = 0;
      const inner = receiver()(world);
      return (request) => {
        calls += 1;
        return calls % 5 === 0 && calls < 40 ? respond(429) : inner(request);
      };
    },
  ],
];

function inFlight(busy: number): Parts['handle'] {
  const running = new Set<string>();
  return async (facts, world, seen) => {
    if (running.has(facts.id)) return respond(busy);
    running.add(facts.id);
    for (let turns = 0; turns < 5; turns++) await turn();
    running.delete(facts.id);
    return once(({ id }) => id)(facts, world, seen);
  };
}

function ours(mode?: 'queue') {
  const jobs = new Set<string>();
  return (world: World) =>
    createWebhookHandler({
      secret,
      logger: recorder(),
      ...(mode === 'queue'
        ? {
            enqueue: async (event: { id: string; payload: unknown }) => {
              if (jobs.has(event.id)) return;
              jobs.add(event.id);
              const body = JSON.stringify(event.payload);
              const work = () => attempt(() => world.effect(body)) || world.later(400, work);
              world.later(400, work);
            },
          }
        : { on: { usage_threshold: ({ payload }) => world.effect(JSON.stringify(payload)) } }),
    });
}
