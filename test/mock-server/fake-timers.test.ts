import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';
import { ContentGen } from '../../src/index.ts';

const url = 'https://app.example/callbacks';

beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Generates, streams, and receives a callback, all on the real clock of a mock. */
async function useEverything(mock: ReturnType<typeof createMockServer>) {
  const client = new ContentGen(mock.clientOptions);
  const received = new Promise<string>((resolve) => {
    mock.receivers.set(url, (request) => {
      resolve(request.headers.get('webhook-id') ?? '');
      return new Response();
    });
  });
  expect((await client.content.generate({ prompt: 'p' })).result).not.toBe('');
  expect((await client.content.stream({ prompt: 'p' }).final()).result).not.toBe('');
  await client.content.start({ prompt: 'p', webhookUrl: url });
  expect(await received).not.toBe('');
  await mock.close();
}

/** As if the test's own timers had been there before the import. */
const freshCopy = () =>
  vi.importActual<typeof import('../../mock-server/create-mock-server.ts')>(
    '../../mock-server/create-mock-server.ts',
  );

const quick = { processingTime: { min: 20, max: 40 } };

test('the default vi.useFakeTimers() stops nothing: the real clock is not the test’s', async () => {
  vi.useFakeTimers();
  const warnings: string[] = [];
  await useEverything(createMockServer({ ...quick, onWarning: (said) => warnings.push(said) }));
  expect(warnings).toEqual([]);
});

test('a client sees an error at once, whatever the fake timers do', async () => {
  vi.useFakeTimers();
  const mock = createMockServer({ processingTime: 0 });
  mock.faults.add({ operation: 'generateContent', effect: { status: 500 } });
  const call = new ContentGen(mock.clientOptions).content.generate({ prompt: 'p' });
  await expect(call).rejects.toMatchObject({ status: 500 });
  await mock.close();
});

test('settle loses its patience in real time', async () => {
  vi.useFakeTimers();
  const warnings: string[] = [];
  const mock = createMockServer({
    clock: 'manual',
    patience: 20,
    onWarning: (said) => warnings.push(said),
  });
  mock.receivers.set(url, () => new Promise<never>(() => {}));
  mock.trigger('generation_completed', { webhookUrl: url });
  await mock.settle();
  expect(warnings).toEqual([expect.stringContaining(url)]);
  await mock.close();
});

test('a mock that is imported after vi.useFakeTimers() finds the real ones', async () => {
  vi.useFakeTimers();
  const { createMockServer: imported } = await freshCopy();
  await useEverything(imported(quick));
});

test('a mock that is imported while Playwright’s page.clock is paused finds the real ones', async () => {
  vi.stubGlobal('__pwClock', { builtins: { setTimeout, Date } });
  vi.stubGlobal('setTimeout', () => 1);
  vi.stubGlobal('Date', class extends Date {});
  const { createMockServer: imported } = await freshCopy();
  await useEverything(imported(quick));
});

test('fakes that keep no originals are named once, with the way out', async () => {
  function createTimer() {}
  vi.stubGlobal('setTimeout', createTimer.bind(undefined));
  Object.defineProperty(globalThis.setTimeout, 'name', { value: 'bound #createTimer' });
  const { createMockServer: imported } = await freshCopy();
  const warnings: string[] = [];
  const onWarning = (said: string) => warnings.push(said);
  imported({ onWarning });
  expect(warnings).toEqual([expect.stringMatching(/ setTimeout had been faked .*clock: 'manual'/)]);
  imported({ clock: 'manual', onWarning });
  expect(warnings).toHaveLength(1);
});
