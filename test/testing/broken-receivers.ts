import { defaultToleranceS } from '../../src/webhooks/defaults.ts';
import { secret } from '../webhooks/support.ts';
import {
  age,
  attempt,
  listed,
  once,
  type Row,
  receiver,
  respond,
  textOf,
  turn,
  usual,
} from './receivers.ts';

/** Each row: what is wrong, the cases that must find it, the receiver. */
export const broken: Row<RegExp>[] = [
  ['accepts any time', /stale/, receiver({ isFresh: () => true })],
  [
    'checks only the past',
    /future/,
    receiver({ isFresh: (time) => age(time) <= defaultToleranceS }),
  ],
  [
    'accepts a prefix of the digest',
    /another digest/,
    receiver({ equals: (given, right) => right.startsWith(given) }),
  ],
  [
    'accepts what is not signed',
    /missing, empty/,
    receiver({ verify: (facts, parts) => !facts.header || usual.verify(facts, parts) }),
  ],
  [
    'looks at the first signature only',
    /second of two/,
    receiver({ entries: (header) => listed(header).slice(0, 1) }),
  ],
  ['trims the body', /white space/, receiver({ body: (facts) => textOf(facts).trim() })],
  [
    'verifies the body as it would write it',
    /another format|ordinary/,
    receiver({
      verify: (facts, parts) => isJson(textOf(facts)) && usual.verify(facts, parts),
      body: (facts) => JSON.stringify(JSON.parse(textOf(facts))),
    }),
  ],
  ['remembers nothing', /a duplicate once/, receiver({ handle: once(() => crypto.randomUUID()) })],
  ['dedupes by signature', /a duplicate once/, receiver({ handle: once(({ header }) => header) })],
  ['responds 200 to what it refuses', /^rejects/, receiver({ refused: 200 })],
  ['uses the secret as text', /^accepts/, receiver({ key: secret })],
  [
    'compares without case',
    /letter case/,
    receiver({ equals: (given, right) => given.toLowerCase() === right.toLowerCase() }),
  ],
  [
    'refuses what is a minute old',
    /signed \d+ s ago/,
    receiver({ isFresh: (time) => Math.abs(age(time)) < 60 }),
  ],
  [
    'tolerates half a minute too much',
    /stale/,
    receiver({ isFresh: (time) => Math.abs(age(time)) < defaultToleranceS + 30 }),
  ],
  [
    'reads the body as latin1',
    /not ASCII/,
    receiver({ body: ({ bytes }) => bytes.toString('latin1') }),
  ],
  [
    'looks at the last signature only',
    /first of two/,
    receiver({ entries: (header) => listed(header).slice(-1) }),
  ],
  [
    'accepts any version that it does not know',
    /another version/,
    receiver({
      verify: (facts, parts) => !/(^| )v1,/.test(facts.header) || usual.verify(facts, parts),
    }),
  ],
  [
    'lets forged deliveries take effect',
    /no forged delivery/,
    (world) => (request) => {
      const copy = request.clone();
      return copy.text().then((text) => {
        const done = receiver({ handle: () => respond(200) })(world)(request);
        if (text.startsWith('{')) world.effect(text);
        return done;
      });
    },
  ],
  [
    'loses what fails after its 200',
    /what failed/,
    receiver({
      handle: (facts, world, seen) => {
        if (!seen.has(facts.id)) world.later(50, () => attempt(() => world.effect(textOf(facts))));
        seen.add(facts.id);
        return respond(200);
      },
    }),
  ],
  [
    'marks before the effect and keeps the mark when it fails',
    /what failed/,
    receiver({
      handle: (facts, world, seen) => {
        if (seen.has(facts.id)) return respond(200);
        seen.add(facts.id);
        return respond(attempt(() => world.effect(textOf(facts))) ? 200 : 500);
      },
    }),
  ],
  [
    'remembers only the last id',
    /interleaved/,
    receiver({
      handle: (facts, world, seen) => {
        if (seen.has(facts.id)) return respond(200);
        seen.clear();
        return once(({ id }) => id)(facts, world, seen);
      },
    }),
  ],
  [
    'remembers only the last ten ids',
    /after other deliveries/,
    receiver({
      handle: (facts, world, seen) => {
        for (const old of [...seen].slice(0, -10)) seen.delete(old);
        return once(({ id }) => id)(facts, world, seen);
      },
    }),
  ],
  ['dedupes by body', /equal bodies/, receiver({ handle: once(textOf) })],
  [
    'answers 409 to duplicates for ever',
    /a duplicate once/,
    receiver({ handle: once(({ id }) => id, 409) }),
  ],
  [
    'looks first and remembers afterwards',
    /concurrent/,
    receiver({
      handle: async (facts, world, seen) => {
        if (seen.has(facts.id)) return respond(200);
        await turn();
        world.effect(textOf(facts));
        seen.add(facts.id);
        return respond(200);
      },
    }),
  ],
  [
    'remembers ids before it verifies',
    /a forged one with its id/,
    (world) => {
      const ids = new Set<string>();
      const inner = receiver({ handle: once(() => crypto.randomUUID()) })(world);
      return (request) => {
        const id = request.headers.get('webhook-id') ?? '';
        if (ids.has(id)) return respond(200);
        ids.add(id);
        return inner(request);
      };
    },
  ],
  ['refuses more than 100 kB', /900 kB/, receiver({ limit: 100_000 })],
  [
    'refuses a type that it does not know',
    /unknown type/,
    receiver({
      verify: (facts, parts) =>
        !textOf(facts).includes('later_version') && usual.verify(facts, parts),
    }),
  ],
];

function isJson(text: string): boolean {
  return attempt(() => JSON.parse(text));
}
