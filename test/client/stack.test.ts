import { describe, expect, test } from 'vitest';
import { rows } from './support/operations.ts';
import { clientOf, problem, scriptedService } from './support/service.ts';

const service = scriptedService();
service.script(problem(404, 'not_found'));
const { client } = clientOf(service, { maxRetries: 0 });
const { content, usage } = client;

async function stackOf(call: () => Promise<unknown>): Promise<string> {
  async function theCaller() {
    await call();
  }
  try {
    await theCaller();
  } catch (error) {
    return (error as Error).stack ?? '';
  }
  throw new Error('The call did not fail.');
}

const calls: Record<string, () => Promise<unknown>> = {
  ...Object.fromEntries(
    Object.entries(rows).map(([name, [call]]) => [name, async () => await call(client)]),
  ),
  'content.generate in the background': async () =>
    await content.generate({ prompt: 'p', webhookUrl: 'https://a.example' }),
  'a loop over content.list': async () => {
    for await (const _ of content.list());
  },
  'content.stream': async () => {
    for await (const _ of content.stream({ prompt: 'p' }));
  },
  'job.wait': async () => await content.resume({ requestId: 'x' }).wait(),
  withResponse: async () => await usage.get().withResponse(),
  safe: async () => {
    const { error } = await usage.get().safe();
    throw error;
  },
  'Promise.all': async () => await Promise.all([usage.get(), content.get('x')]),
};

describe('the stack trace of an error names the caller', () => {
  test.each(Object.keys(calls))('of %s', async (name) => {
    expect(await stackOf(calls[name] as () => Promise<unknown>)).toContain('theCaller');
  });

  test('of client.http, when no response arrives', async () => {
    const broken = scriptedService();
    broken.script({ fault: 'disconnect' });
    const { client } = clientOf(broken, { maxRetries: 0 });
    expect(await stackOf(async () => await client.http.GET('/api/usage'))).toContain('theCaller');
  });

  test('begins with the name and the message of the error', async () => {
    const stack = await stackOf(async () => await usage.get());
    expect(stack).toMatch(/^NotFoundError: Failed to call getUsage: 404 not_found/);
  });
});
