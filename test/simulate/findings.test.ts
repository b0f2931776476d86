import { ContentGen } from 'contentgen';
import {
  type InstanceContext,
  type RunContext,
  type SimulateOptions,
  simulate,
} from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { base, type Counter, failureOf } from './counter.ts';

/** What one run finds. */
const foundIn = (options: Partial<SimulateOptions<Counter>>) =>
  failureOf(simulate({ ...base, seeds: 1, ...options } as SimulateOptions<Counter>));

test('a wait that never ends is found', async () => {
  const error = await foundIn({
    patience: 20,
    run: () => new Promise(() => {}),
  });
  expect(error.message).toContain('`run` is waiting for something that never happens');
});

test('a rejection that nobody handles is found', async () => {
  const rejected = await foundIn({
    app: (context) => {
      context.clock.after(1000, () => void Promise.reject(new Error('forgotten')));
      return base.app(context);
    },
  });
  expect(rejected.cause).toMatchObject({ invariant: 'rejections' });
});

test('a failure of `always` is found', async () => {
  const { message } = await foundIn({ always: () => expect.fail('it does not hold') });
  expect(message).toContain('it does not hold');
});

test('a secret or a key that was created during a run is found in the console too', async () => {
  const rotated = await foundIn({
    run: async ({ client, mock }) => {
      const before = mock.signingSecret;
      const { secret } = await client.webhooks.rotateSigningSecret();
      expect(secret).not.toBe(before);
      console.info('rotated', { secret });
    },
  });
  expect(rotated.cause).toMatchObject({ invariant: 'secrets' });
  expect(rotated.timeline).not.toContain('whsec_');
  const created = await foundIn({
    chaos: {},
    run: async ({ client }) =>
      console.warn((await client.apiKeys.create({ name: 'new', role: 'member' })).key),
  });
  expect(created.cause).toMatchObject({ invariant: 'secrets' });
  expect(created.timeline).not.toContain('cg_test_');
});

test('a key that is created is the same in each run of a seed, even when its response was lost', async () => {
  const { coverage, outside } = await simulate({
    ...base,
    seeds: 20,
    chaos: { loseAnswer: 0.4 },
    run: async ({ client, disk }) => {
      const { key } = await client.apiKeys.create({ name: 'new', role: 'member' });
      await disk.open('db').set('key', key);
    },
  });
  expect(coverage['loseAnswer × POST']).toBeGreaterThan(5);
  expect(outside).toEqual([]);
});

interface Reader {
  read(name: string): Promise<void>;
}

test('access tokens, which are signed and verified in other threads, are the same in each run of a seed', async () => {
  const options = {
    ...base,
    chaos: { loseAnswer: 0.2, reorder: 0.3 },
    receive: () => () => new Response(),
    app: ({ mock: { baseUrl, issueToken }, fetch, disk }: InstanceContext): Reader => ({
      async read(name: string) {
        const accessToken = await issueToken({ role: 'member' });
        const client = new ContentGen({ baseUrl, accessToken, fetch, logLevel: 'off' });
        await disk.open('db').set(name, (await client.usage.get()).used);
      },
    }),
    run: ({ app }) => Promise.allSettled(['a', 'b', 'c'].map((name) => app.read(name))),
  } satisfies SimulateOptions<Reader>;
  // The first seed of a simulation is run again and compared.
  for (let from = 1; from <= 3; from += 1)
    expect((await simulate({ ...options, seeds: { from, count: 1 } })).runs).toBe(1);
});

test('a report fits one screen: polls are left out, and what matters to the failing id is kept', async () => {
  let lost = '';
  const options = {
    ...base,
    seeds: 1,
    shrinkMs: 0,
    chaos: {},
    app: (context: Parameters<typeof base.app>[0]) => {
      const { clock, disk } = context;
      clock.every(5000, () => void disk.open('db').keys('queue/'));
      return base.app(context);
    },
    async run({ app, clock, disk }: RunContext<Counter>) {
      ({ requestId: lost } = await app.order('a'));
      await disk.open('db').set(`lost/${lost}`, true);
      for (let count = 0; count < 60; count += 1) {
        await disk.open('db').set(`other/${count}`, count);
        await clock.sleep(7000);
      }
    },
    check: () => expect.fail(`${lost} is lost`),
  };
  const error = await failureOf(simulate(options));
  expect(error.message.split('\n').length).toBeLessThan(60);
  expect(error.message).toMatch(/… \d+ steps/);
  expect(error.message).toContain('Faults needed to reproduce it: none.');
  expect(error.message).toContain('db.set lost/gen_…');
  expect(error.timeline.split('\n').length).toBeGreaterThan(150);
});

test('a failing run is reduced only as far as it fails with the same message', async () => {
  let starts = 0;
  const error = await failureOf(
    simulate({
      seeds: 1,
      chaos: { crash: 0.9 },
      async app({ disk }) {
        starts += 1;
        await disk.open('db').set('started', starts);
        return () => new Response();
      },
      run: () => {},
      check() {
        const crashes = starts - 1;
        starts = 0;
        if (crashes > 1) throw new Error(`The order was lost ${crashes} times.`);
        if (crashes === 1) throw new Error('The order was repeated.');
      },
    }),
  );
  expect(error.message).toContain('Seed 1 fails: The order was lost 2 times.');
});
