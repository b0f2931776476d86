import { expect, type Page, test } from '@playwright/test';
import { connectMock } from 'contentgen/mock/remote';

const mock = connectMock('http://127.0.0.1:4610');

test('a story is written, delivered and shown', async ({ page }) => {
  await ask(page, 'TCP [[say: Three shakes of the hand.]]');

  await expect(page.getByRole('status')).toHaveText('Three shakes of the hand.');
  const [delivery] = await mock.deliveries({ order: 'desc', limit: 1 });
  expect(delivery).toMatchObject({ event: 'generation_completed', status: 'delivered' });
});

test('a callback that is lost on its way comes again, an hour of clock later', async ({ page }) => {
  await mock.faults.add({ delivery: 'generation_completed', times: 2, effect: { drop: true } });
  await ask(page, 'UDP [[say: Did you get that?]]');
  await expect.poll(lastAttempts).toBe(1);

  await mock.clock.advance('1 hour');

  await expect(page.getByRole('status')).toHaveText('Did you get that?');
  expect(await lastAttempts()).toBe(3);
});

test('a failure is told', async ({ page }) => {
  await ask(page, 'nothing [[fail: out of ideas]]');

  await expect(page.getByRole('status')).toHaveText('Sorry: out of ideas');
});

async function ask(page: Page, about: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('About').fill(about);
  await page.getByRole('button', { name: 'Write' }).click();
}

async function lastAttempts(): Promise<number | undefined> {
  const [delivery] = await mock.deliveries({ order: 'desc', limit: 1 });
  return delivery?.attempts.length;
}
