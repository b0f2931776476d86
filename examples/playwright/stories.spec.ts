import { expect, type Page } from '@playwright/test';
import type { Universe } from 'contentgen/mock/remote';
import { test } from './service.ts';

test('a story is written, delivered and shown', async ({ page, service: { universe } }) => {
  await ask(page, 'TCP [[say: Three shakes of the hand.]]');

  await expect(page.getByRole('status')).toHaveText('Three shakes of the hand.');
  await expect
    .poll(() => lastDelivery(universe))
    .toEqual({
      event: 'generation_completed',
      status: 'delivered',
      attempts: 1,
    });
});

test('a lost callback is retried within an hour on the clock', async ({
  page,
  service: { universe },
}) => {
  await universe.faults.add({ delivery: 'generation_completed', times: 2, effect: { drop: true } });
  await ask(page, 'UDP [[say: Did you get that?]]');
  await expect.poll(() => lastDelivery(universe)).toMatchObject({ status: 'pending', attempts: 1 });

  await universe.clock.advance('1 hour');

  await expect(page.getByRole('status')).toHaveText('Did you get that?');
  await expect
    .poll(() => lastDelivery(universe))
    .toMatchObject({ status: 'delivered', attempts: 3 });
});

test('a failure is shown', async ({ page }) => {
  await ask(page, 'nothing [[fail: out of ideas]]');

  await expect(page.getByRole('status')).toHaveText('Sorry: out of ideas');
});

async function ask(page: Page, about: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('About').fill(about);
  await page.getByRole('button', { name: 'Write' }).click();
}

/** Poll this: the page can show a text before the service gets the response to its callback. */
async function lastDelivery(universe: Universe) {
  const [delivery] = await universe.deliveries({ order: 'desc', limit: 1 });
  if (!delivery) return undefined;
  const { event, status, attempts } = delivery;
  return { event, status, attempts: attempts.length };
}
