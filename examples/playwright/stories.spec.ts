import { expect, type Page } from '@playwright/test';
import { test } from './service.ts';

test('a story is written and shown', async ({ page, mock, user: { organization } }) => {
  await ask(page, 'TCP [[say: Three shakes of the hand.]]');

  await expect(page.getByRole('status')).toHaveText('Three shakes of the hand.');
  expect(mock.requests({ organization })).toMatchObject([
    { operation: 'generateContent', status: 200 },
  ]);
});

test('a busy service is asked again, and the story is written once', async ({
  page,
  mock,
  user: { organization },
}) => {
  const effect = { status: 503, retryAfter: 1 };
  mock.faults.add({ organization, operation: 'generateContent', times: 1, effect });

  await ask(page, 'UDP [[say: Did you get that?]]');

  await expect(page.getByRole('status')).toHaveText('Did you get that?');
  expect(mock.requests({ organization }).map(({ status }) => status)).toEqual([503, 200]);
});

test('a used-up quota is back a month later on the clock', async ({ page, mock, user }) => {
  expect(user.organization).not.toBe(mock.organization);
  const text = 'word '.repeat(60).trim();
  await ask(page, `a long day [[say: ${text}]]`);
  await expect(page.getByRole('status')).toHaveText(text);
  await ask(page, 'another day');
  await expect(page.getByRole('status')).toHaveText('No more stories this month.');

  await mock.clock.advance('31 days');

  await ask(page, 'a new month [[say: Here we go again.]]');
  await expect(page.getByRole('status')).toHaveText('Here we go again.');
});

test('a slow service: the page says that it is writing', async ({
  page,
  mock,
  user: { organization },
}) => {
  const held = mock.hold('generateContent', { organization });
  await ask(page, 'TCP');
  await held.started;
  await expect(page.getByRole('status')).toHaveText('Writing…');
  held.emit('Three shakes of the hand.');
  held.release();
  await expect(page.getByRole('status')).toHaveText('Three shakes of the hand.');
});

test('a failed generation: the page says so', async ({ page, mock, user: { organization } }) => {
  const held = mock.hold('generateContent', { organization });
  await ask(page, 'UDP');
  await held.started;
  held.fail({ message: 'The model is overloaded.' });
  await expect(page.getByRole('status')).toHaveText('Sorry: The model is overloaded.');
});

async function ask(page: Page, about: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('About').fill(about);
  await page.getByRole('button', { name: 'Write' }).click();
}
