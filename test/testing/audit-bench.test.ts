import { type AuditOptions, auditReceiver } from 'contentgen/testing';
import { expect, test } from 'vitest';
import { secret } from '../webhooks/support.ts';
import { broken } from './broken-receivers.ts';
import { createWorld, type Handler, once, receiver, type World } from './receivers.ts';
import { right } from './right-receivers.ts';

async function audit(make: (world: World) => Handler, seeing = true) {
  const world = createWorld();
  const { failNext, wait } = world;
  const seen = seeing ? { effects: () => world.effects, failNext } : {};
  return auditReceiver(make(world), { secret, wait, ...seen } satisfies AuditOptions);
}
const named = ({ results }: Awaited<ReturnType<typeof audit>>, wanted: string) =>
  results.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);

test.each(broken)('a receiver that %s fails', async (_name, cases, make) => {
  const report = await audit(make);
  expect(report.ok).toBe(false);
  expect(
    named(report, 'failed').some((name) => cases.test(name)),
    String(report),
  ).toBe(true);
});

test.each(right)('a right receiver passes: %s', async (_name, warnings, make) => {
  const report = await audit(make);
  expect(named(report, 'failed'), String(report)).toEqual([]);
  const found = named(report, 'warning');
  if (warnings) expect(found.filter((name) => !warnings.test(name))).toEqual([]);
  expect(found.length > 0, String(found)).toBe(warnings !== undefined);
  expect(named(report, 'not_observable')).toEqual([]);
});

test('without effects, a receiver that remembers nothing is not observable, and one that fails is', async () => {
  const report = await audit(receiver({ handle: once(() => crypto.randomUUID()) }), false);
  expect(report.ok).toBe(true);
  expect(named(report, 'not_observable')).toEqual([
    'handles a duplicate once',
    'handles interleaved duplicates once each',
    'handles two events with equal bodies',
    'handles concurrent copies once',
    'handles a delivery after a forged one with its id',
    'handles again what failed',
    'lets no forged delivery take effect',
    'remembers a duplicate after other deliveries',
  ]);
  const failing = await audit(receiver({ handle: once(({ id }) => id, 500) }), false);
  expect(named(failing, 'failed')).toContain('handles a duplicate once');
});
