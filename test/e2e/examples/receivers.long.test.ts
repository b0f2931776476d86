import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deliver, sampleEvent } from 'contentgen/testing';
import pg from 'pg';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { needs } from '../../support/needs.ts';
import { withPostgres, withRedis } from '../../support/servers.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const story = sampleEvent('generation_completed');

beforeEach(() => {
  vi.stubEnv('CONTENTGEN_WEBHOOK_SECRET', secret);
  vi.resetModules();
  for (const method of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation(() => {});
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.runIf(needs('postgres'))('Fastify with PostgreSQL', () => {
  test('a story delivered five times at once to two processes becomes one row', async () => {
    const postgres = await withPostgres();
    onTestFinished(() => postgres.stop());
    const { createApp } = await import('../../../examples/fastify-postgres/app.ts');
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: postgres.url }));
    onTestFinished(async () => void (await Promise.all(pools.map((pool) => pool.end()))));
    const apps: Awaited<ReturnType<typeof createApp>>[] = [];
    onTestFinished(async () => void (await Promise.all(apps.map((app) => app.close()))));
    for (const pool of pools) apps.push(await createApp(pool, secret));
    const urls = await Promise.all(apps.map((app) => app.listen({ port: 0 })));

    const burst = [...urls, ...urls, ...urls, ...urls, ...urls].map((url) =>
      deliver(`${url}/webhooks`, story, { secret }),
    );
    const statuses = (await Promise.all(burst)).flatMap(({ attempts }) =>
      attempts.map(({ status }) => status),
    );
    // While one process handles the delivery, the other responds with 503.
    for (const status of statuses) expect([200, 503]).toContain(status);
    for (const url of urls)
      expect(await deliver(`${url}/webhooks`, story, { secret })).toMatchObject({ ok: true });
    const response = await fetch(`${urls[0]}/stories`);
    expect(await response.json()).toHaveLength(1);
  });
});

describe.runIf(needs('redis'))('Hono on Node', () => {
  test('a delivery is recorded in Redis over HTTP', async () => {
    const redis = await withRedis();
    onTestFinished(() => redis.stop());
    const client = createClient({ url: redis.url });
    await client.connect();
    const commands: string[] = [];
    const rest = await listen(
      createServer(async (request, response) => {
        const chunks = await Array.fromAsync(request);
        const command = JSON.parse(Buffer.concat(chunks).toString()) as string[];
        commands.push(`${request.headers.authorization} ${command[0]}`);
        const result = await client.sendCommand(command.map(String));
        response.end(JSON.stringify({ result }));
      }),
    );
    const { default: app } = await import('../../../examples/hono-workers/index.ts');
    vi.stubEnv('REDIS_REST_URL', rest);
    vi.stubEnv('REDIS_REST_TOKEN', 'token');
    const post = async (request: Request) => app.request('/webhooks', request);

    expect((await deliver(post, story, { secret, duplicates: 1 })).ok).toBe(true);
    expect((await deliver(post, story, { secret, tamper: 'body' })).ok).toBe(true);
    expect(new Set(commands)).toEqual(new Set(['Bearer token EVAL']));
    expect(await client.keys('contentgen:webhook:*')).toHaveLength(1);
    client.destroy();
  });
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
