import { ContentGen } from 'contentgen';
import { setupMockWorker } from 'contentgen/mock/browser';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { render } from '../../../examples/react/src/render.tsx';

let worker: Awaited<ReturnType<typeof setupMockWorker>>;

beforeAll(async () => {
  worker = await setupMockWorker({ seed: 1, quota: 1000, onUnhandledRequest: 'bypass' });
});
beforeEach(() => worker.mock.reset());
afterAll(() => worker.close());

test('the front end shows usage, writes a story and lists it', async () => {
  const page = show();
  await see(page, '0 of 1000 tokens');
  await see(page, 'No stories yet.');

  ask(page, 'Tell [[say: Once upon a time]]');

  await see(page, 'Once upon a time');
  // The usage is refetched in parallel with the list, and might arrive after it.
  await vi.waitFor(
    () => expect(page.textContent).toMatch(/(?<!\d)[1-9]\d* of 1000 tokens/),
    10_000,
  );
});

test('the front end shows the code of an error', async () => {
  const page = show();
  await see(page, 'No stories yet.');

  ask(page, '');
  await see(page, 'validation_failed');

  ask(page, '[[fail]]');
  await see(page, 'generation_failed');
});

test('a service that fails twice costs two retries and no error', async () => {
  worker.mock.faults.add({ operation: 'generateContent', times: 2, effect: { status: 503 } });
  const page = show();
  await see(page, 'No stories yet.');

  ask(page, '[[say: At last]]');

  await see(page, 'At last');
  const statuses = worker.mock
    .requests()
    .filter(({ method }) => method === 'POST')
    .map(({ status }) => status);
  expect(statuses).toEqual([503, 503, 200]);
});

function show(): Element {
  const { mock } = worker;
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    accessToken: () => mock.issueToken({ role: 'member' }),
  });
  const page = document.body.appendChild(document.createElement('div'));
  const remove = render(page, client);
  onTestFinished(() => {
    remove();
    page.remove();
  });
  return page;
}

function ask(page: Element, prompt: string): void {
  const field = page.querySelector('input');
  if (field) field.value = prompt;
  page.querySelector('form')?.requestSubmit();
}

function see(page: Element, text: string): Promise<void> {
  return vi.waitFor(() => expect(page.textContent).toContain(text), { timeout: 10_000 });
}
