import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const mock = createMockServer({ seed: 1, processingTime: 20 });
let server: Awaited<ReturnType<typeof serve>>;
let printed: string[];

beforeEach(async () => {
  server = await serve(mock, { port: 0, dashboard: false });
  vi.stubEnv('CONTENTGEN_BASE_URL', server.url);
  vi.stubEnv('CONTENTGEN_API_KEY', mock.adminKey);
  vi.resetModules();
  printed = [];
  const print = (text: unknown) => {
    printed.push(String(text));
    return true;
  };
  vi.spyOn(console, 'log').mockImplementation((...values) => void print(values.join(' ')));
  vi.spyOn(process.stdout, 'write').mockImplementation(print);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await server.close({ graceMs: 0 });
  mock.reset();
});

test('the quickstart prints a text, a stream, both generations and a validation error', async () => {
  await import('../../../examples/quickstart/index.ts');

  const text = printed.join('\n');
  expect(text).toMatch(/\(\d+ tokens\)/);
  expect(text.match(/^gen_\w+ 20\d\d-/gm)).toHaveLength(2);
  expect(text).toContain('invalid: /prompt');
});

test('generate-and-wait gets its result from the callback', async () => {
  // Otherwise a poll can come first on a busy machine, and the example ends before the callback arrives.
  mock.faults.add({ operation: 'getGeneration', effect: { status: 503 } });

  await import('../../../examples/generate-and-wait/index.ts');

  expect(printed[0]).toMatch(/^processing gen_/);
  expect(printed[1]?.length).toBeGreaterThan(20);
  await vi.waitFor(() => expect(mock.deliveries()[0]?.status).toBe('delivered'), 10_000);
});
