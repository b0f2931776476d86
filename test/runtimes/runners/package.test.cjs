const { exports: entries } = require('contentgen/package.json');
const { simulate } = require('contentgen/simulate');
const { createTestRequest, sampleEvent } = require('contentgen/testing');
const { createWebhookHandler } = require('contentgen/webhooks');

// MSW has modules that Jest does not transform.
const loadable = Object.entries(entries)
  .filter(([name, to]) => to.require && !/mock\/(msw|node|browser)$/.test(name))
  .map(([name]) => name.replace('.', 'contentgen'));

test('this Jest cannot run import(), which is the default', async () => {
  await expect(import('node:path')).rejects.toThrow('experimental-vm-modules');
});

test.each(loadable)('require(%p)', (name) => {
  expect(Object.keys(require(name)).length).toBeGreaterThan(0);
});

test('a signed delivery is handled', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const handled = jest.fn();
  const handler = createWebhookHandler({ secret, on: { generation_completed: handled } });
  const signed = await createTestRequest(sampleEvent('generation_completed'), { secret });
  expect((await handler(signed)).status).toBe(200);
  expect(handled).toHaveBeenCalledTimes(1);
});

test('a simulation runs, and its error names the seed that failed', async () => {
  const failed = simulate({
    seeds: 1,
    app: ({ client }) => client,
    run: ({ app }) => app.usage.get(),
    check() {
      throw new Error('as planned');
    },
  });
  await expect(failed).rejects.toThrow('To run only this seed, set SIMULATE_SEED=');
});
