import { type ClientOptions, ContentGen, GenerationFailedError } from 'contentgen';
import { createMockServer, type MockServer } from 'contentgen/mock';
import { expect, test, vi } from 'vitest';

const callbackUrl = 'https://app.example/callbacks';

function setUp(options: object = {}) {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  return { mock, client: clientOf(mock, { apiKey: mock.adminKey, logLevel: 'off', ...options }) };
}

const clientOf = ({ baseUrl, fetch }: MockServer, options: ClientOptions) =>
  new ContentGen({ baseUrl, fetch, ...options });

test('a generation that fails is the same error, with its reason, however it is awaited', async () => {
  const { mock, client } = setUp({ maxRetries: 1 });
  const request = { prompt: '[[fail: out of ink]]' };
  const ways = {
    generate: () => client.content.generate(request),
    stream: () => client.content.stream(request).final(),
    wait: async () => {
      const job = await client.content.start({ ...request, webhookUrl: callbackUrl });
      await mock.settle();
      return job.wait();
    },
  };
  for (const run of Object.values(ways)) {
    const error = await run().catch((error) => error);
    expect(error).toBeInstanceOf(GenerationFailedError);
    expect(error).toMatchObject({
      code: 'generation_failed',
      generation: {
        requestId: expect.stringMatching(/^gen_/),
        status: 'failed',
        error: { code: 'generation_failed', message: 'out of ink' },
      },
    });
    expect(error.message).toMatch(/\. The service says: out of ink$/);
    expect(JSON.stringify(error)).not.toContain('ink');
  }
  expect((await client.usage.get()).requests).toBe(0);
});
