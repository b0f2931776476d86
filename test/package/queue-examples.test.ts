import { spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'redis';
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { serve } from '../../mock-server/http/serve.ts';
import { createMockServer } from '../../mock-server/index.ts';
import { ContentGen } from '../../src/index.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { root } from '../support/sources.ts';
import { type Application, copyApplication } from './installed.ts';

// The installed tarball and links to this repository's packages stand in for `npm install`; `npm start` is really run.
let application: Application;
beforeAll(() => {
  application = copyApplication(inject('installation'));
  return () => application.remove();
});

/** Starts an example as its README says, with a reference server, and waits for the first line of its output. */
async function start(example: string, env: Record<string, string>) {
  const folder = join(application.folder, example);
  cpSync(join(root, 'examples', example), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { contentgen: _, ...dependencies } = manifest.dependencies;
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const foreign = read('test/foreign/package.json').dependencies;
  const ours = { ...read('package.json').devDependencies, ...foreign };
  for (const name of Object.keys(dependencies))
    application.linkAs(name, name in foreign ? `../test/foreign/node_modules/${name}` : name);
  for (const [name, version] of Object.entries(dependencies))
    expect(String(version).replace('^', ''), name).toBe(ours[name].replace('^', ''));

  const mock = createMockServer({ seed: 1, processingTime: 100 });
  const server = await serve(mock, { port: 0 });
  const port = await freePort();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      CONTENTGEN_BASE_URL: server.url,
      CONTENTGEN_API_KEY: mock.adminKey,
      CONTENTGEN_WEBHOOK_SECRET: mock.signingSecret,
      PORT: `${port}`,
      ...env,
    },
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL');
    await ended;
    await server.close({ graceMs: 0 });
    await mock.close();
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitUntil(() => output.includes(`:${port}`) || child.exitCode !== null, {
    timeout: 60_000,
  });
  expect(child.exitCode, output).toBe(null);
  const client = new ContentGen({ baseUrl: server.url, apiKey: mock.adminKey });
  /** Requests a story through the application and waits for it. */
  const story = async () => {
    const request = {
      prompt: 'A story',
      webhookUrl: `${url}/webhooks`,
      metadata: { customer: 'c1' },
    };
    const { requestId } = await client.content.start(request);
    const response = await fetch(`${url}/stories/${requestId}`);
    expect(response.status, output).toBe(200);
    return { requestId, story: ((await response.json()) as { story: string }).story };
  };
  return { story, client, url };
}

describe.runIf(needs('postgres'))('Fastify with PostgreSQL', () => {
  test('starts with two commands, and stores a result once', async () => {
    const postgres = await withPostgres();
    onTestFinished(() => postgres.stop());
    const { hostname, port, username, pathname } = new URL(postgres.url);
    const { client, url } = await start('fastify-postgres', {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGDATABASE: pathname.slice(1),
    });
    const webhookUrl = `${url}/webhooks`;
    const { requestId } = await client.content.start({ prompt: 'A story', webhookUrl });
    const rows = async () => (await (await fetch(`${url}/stories`)).json()) as object[];
    await vi.waitUntil(async () => (await rows()).length === 1, { timeout: 30_000 });
    expect(await rows()).toEqual([{ request_id: requestId, story: expect.any(String) }]);
  });
});

describe.runIf(needs('redis') && needs('foreign'))('Fastify with BullMQ', () => {
  test('starts with two commands, responds with a result, and stores it', async () => {
    const redis = await withRedis(['--appendonly', 'yes']);
    onTestFinished(() => redis.stop());
    const { story } = await start('fastify-bullmq', { REDIS_URL: redis.url });
    const stories = await Promise.all([story(), story(), story()]);
    const client = await createClient({ url: redis.url }).connect();
    onTestFinished(() => client.destroy());
    for (const { requestId, story: text } of stories)
      await vi.waitUntil(async () => (await client.get(`story:${requestId}`)) === text, {
        timeout: 30_000,
      });
  });
});
