import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type GivenOnly, startGivenOnly } from './given-only/start.ts';
import { variantNames, variants } from './given-only/variants.ts';
import { read } from './sources.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(name: (typeof variantNames)[number], options = {}): Promise<GivenOnly> {
  const service = await startGivenOnly(name, options);
  closing.push(() => service.close());
  return service;
}

const call = ({ url, apiKey }: GivenOnly, path: string, body: object, key = apiKey) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });

/** A receiver that accepts everything. */
async function receiver(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(text);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, bodies };
}

describe.each(variantNames)('the %s service', (name) => {
  test('acknowledges, and signs the result callback with its secret', async () => {
    const service = await start(name);
    const { url } = await receiver();
    const { acknowledgement, names, encoding, digestPrefix } = variants[name];
    const body = { prompt: 'tides', [names.webhookUrl]: url };
    const response = await call(service, '/api/ai/content/generate', body);
    expect(response.status).toBe(acknowledgement);
    expect(JSON.stringify(await response.json())).toContain('"status":"processing"');
    await expect.poll(() => service.deliveries.length).toBe(1);
    const [sent] = service.deliveries;
    const digest = createHmac('sha256', service.secret).update(`${sent?.body}`).digest(encoding);
    expect(sent).toMatchObject({ status: 200 });
    expect(sent?.headers['x-service-signature']).toBe(digestPrefix + digest);
    expect(sent?.body).toContain('About tides');
  });

  test('rejects a wrong key with 401, everywhere, and knows no other operation', async () => {
    const service = await start(name);
    expect((await call(service, '/api/ai/content/generate', {}, 'wrong')).status).toBe(401);
    expect((await call(service, '/api/usage', {}, 'wrong')).status).toBe(401);
    expect((await call(service, '/api/usage', {})).status).toBe(404);
  });

  test('creates keys that work, and reports usage to registered URLs', async () => {
    const service = await start(name, { tokens: 450 });
    const hook = await receiver();
    const created = await call(service, variants[name].keysPath, {});
    const [key] = /live-[0-9a-f-]+/.exec(await created.text()) ?? [];
    await call(service, '/api/webhooks', { event: 'usage_threshold', url: hook.url }, key);
    for (const prompt of ['one', 'two']) {
      expect((await call(service, '/api/ai/content/generate', { prompt }, key)).status).toBe(200);
    }
    await expect.poll(() => hook.bodies.length).toBe(1);
    expect(hook.bodies[0]).toContain('"usage":900,"threshold":900');
    expect(service.billed).toBe(2);
  });
});

test('the service is written without a line of ours', () => {
  for (const file of ['start.ts', 'variants.ts']) {
    for (const { specifier } of read(`test/support/given-only/${file}`).imports) {
      expect(specifier).toMatch(/^(node:|\.\/)/);
    }
  }
});
