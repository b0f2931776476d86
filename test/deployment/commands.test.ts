import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { ContentGen, type Deployment, type DeploymentJson } from '../../src/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { invoke } from '../mock-server/cli/invoke.ts';
import { receiveAt } from '../support/dialects/examine.ts';
import { givenOnlyFiles } from '../support/dialects/files.ts';
import { type RunningReading, startReading } from '../support/dialects/reading.ts';
import { givenOnly } from '../support/dialects/readings.ts';

const names = Object.keys(givenOnly) as (keyof typeof givenOnly)[];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deployment-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function saved(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const receiver = (deployment: Deployment, secret: string): Promise<string> =>
  receiveAt(createWebhookHandler({ deployment, secret, logger: { ...console, diagnose: false } }));

describe.each(names)('commands against the %s service', (name) => {
  const json = givenOnlyFiles[name];
  const deployment = defineDeployment(json);
  let service: RunningReading;
  let file: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    service = await startReading(givenOnly[name]);
    file = saved('deployment.json', JSON.stringify(json));
    env = {
      CONTENTGEN_BASE_URL: service.baseUrl,
      CONTENTGEN_API_KEY: service.apiKey,
      CONTENTGEN_WEBHOOK_SECRET: service.secret,
      CONTENTGEN_DEPLOYMENT: file,
    };
  });
  afterEach(() => service.close());

  /** A callback as a user saves it. */
  async function savedDelivery() {
    const { baseUrl, apiKey, secret } = service;
    const client = new ContentGen({ baseUrl, apiKey, deployment });
    await client.content.start({ prompt: 'tides', webhookUrl: await receiver(deployment, secret) });
    await expect.poll(() => service.deliveries.length).toBe(1);
    const [{ headers = {}, body = '' } = {}] = service.deliveries;
    return ['--headers', saved('headers', JSON.stringify(headers)), '--body', saved('body', body)];
  }

  test('doctor accepts the key, the secret and a saved delivery', async () => {
    const { code, out } = await invoke(['doctor', ...(await savedDelivery())], env);
    expect(out).toContain('Valid: generation_completed');
    expect(out).toMatch(/✓ key/);
    expect(out).toMatch(/✓ secret/);
    expect(code, out).toBe(0);
  });

  test('doctor finds without a file how deliveries are signed, and keeps what a file says', async () => {
    const { CONTENTGEN_DEPLOYMENT: _, ...bare } = env;
    const target = saved('found.json', JSON.stringify({ absent: ['getUsage'] }));
    const args = ['doctor', '--save', target, ...(await savedDelivery())];
    const { out } = await invoke(args, bare);
    const found = JSON.parse(readFileSync(target, 'utf8')) as DeploymentJson;
    expect(out).toContain(target);
    expect(found).toMatchObject({
      ...{ absent: ['getUsage'], secretEncoding: 'utf8' },
      scheme: Object(json.scheme),
    });
  });

  if (name === 'mixed')
    test('audit reports a receiver of it as right', async () => {
      const target = await receiver(deployment, service.secret);
      const { code, out } = await invoke(['audit', target], env);
      expect(code, out).toBe(0);
    });

  test('keys, which needs the control API without a key, creates one with a key', async () => {
    const args = [
      'keys',
      'create',
      '--quiet',
      '--url',
      service.baseUrl,
      '--api-key',
      service.apiKey,
    ];
    const { code, out, err } = await invoke(args, env);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^live-/);
  });
});

test.each(['mock', 'trigger', 'keys', 'audit', 'doctor', 'redeliver', 'conform'])(
  '%s takes a deployment, and names what is wrong with it',
  async (command) => {
    const file = saved('wrong.json', '{ "wrp": "data" }');
    const operands: Record<string, string[]> = {
      trigger: ['invoice_paid'],
      keys: ['list'],
      audit: ['http://127.0.0.1:1'],
      redeliver: ['--since', '1 day'],
      conform: ['--base-url', 'http://127.0.0.1:1', '--api-key', 'key'],
    };
    const args = [command, ...(operands[command] ?? []), '--deployment', file];
    const { code, err } = await invoke(args);
    expect(code).toBe(2);
    expect(err).toContain("unknown field wrp. Did you mean 'wrap'?");
    const missing = await invoke([command, ...(operands[command] ?? [])], {
      CONTENTGEN_DEPLOYMENT: join(folder, 'none.json'),
    });
    expect(missing.err).toContain('Failed to read');
  },
);
