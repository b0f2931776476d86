import { type InstanceContext, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { receiver, start } from './application-parts.ts';
import { testApplications } from './application-tests.ts';
import { base, failureOf } from './counter.ts';

testApplications('mailer');

test('a lost update is found within 20 seeds and without a fault, because callbacks arrive together', async () => {
  const index = (context: InstanceContext) => {
    const db = context.disk.open('db');
    return {
      order: (prompt: string) => start(context, prompt),
      webhooks: receiver(context, async (id) => {
        const ids = (await db.get<string[]>('ids')) ?? [];
        await db.set('ids', [...ids, id]);
      }),
    };
  };
  const { faults } = await failureOf(
    simulate({
      ...{ seeds: 20, chaos: {}, app: index },
      receive: ({ webhooks }) => webhooks,
      run: base.run,
      effects: async ({ disk }) => (await disk.open('db').get<string[]>('ids')) ?? [],
    }),
  );
  expect(faults).toEqual([]);
});
