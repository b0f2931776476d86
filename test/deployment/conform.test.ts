import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ContentGen, type Deployment } from '../../src/index.ts';
import {
  type ConformanceReceiver,
  createConformanceReceiver,
  runConformance,
} from '../../src/testing/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';
import { deployments } from '../support/given-only/deployments.ts';
import { startGivenOnly } from '../support/given-only/start.ts';
import { variantNames } from '../support/given-only/variants.ts';

type Handle = ConformanceReceiver['handle'];

async function listen(handle: Handle): Promise<string> {
  const server = createServer(toNodeHandler(handle));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function judge(name: (typeof variantNames)[number], base = '') {
  const service = await startGivenOnly(name);
  onTestFinished(() => service.close());
  let receiver: ConformanceReceiver | undefined;
  const url = await listen((request) => (receiver as ConformanceReceiver).handle(request));
  receiver = createConformanceReceiver(url);
  const { apiKey, secret } = service;
  const report = await runConformance({
    ...{ url: base ? service.url.replace(/\/v2$/, base) : service.url, apiKey, secret, receiver },
    ...{ allowWrites: true, patienceMs: 100 },
  });
  return { service, report };
}

describe.each(variantNames)('the %s service', (name) => {
  test('breaks no given clause, and each of its differences is found with its line', async () => {
    const { service, report } = await judge(name);
    const { conformance, ...found } = report.deployment;
    expect(report.results.filter(({ verdict }) => /failed|error/.test(verdict))).toEqual([]);
    expect(sorted(found)).toEqual(sorted(deployments[name]));
    expect(Object.keys(conformance?.verdicts ?? {})).toHaveLength(38);
    const kept = JSON.stringify(report);
    for (const secret of [service.apiKey, service.secret]) expect(kept).not.toContain(secret);
    // Nothing can be removed from a service that only creates.
    expect(report.left).toEqual([
      expect.stringMatching(/^a registration of http/),
      expect.stringMatching(/^an API key named conform-/),
    ]);

    // With the file, a first call and a first webhook work.
    const { url: baseUrl, apiKey, secret } = service;
    const client = new ContentGen({ baseUrl, apiKey, deployment: report.deployment });
    expect(await client.content.generate({ prompt: 'tides' })).toMatchObject({
      ...{ requestId: expect.any(String), result: 'About tides', model: 'given-1' },
      usage: { totalTokens: 12 },
    });
    const events: WebhookEvent[] = [];
    const handler = createWebhookHandler({
      ...{ deployment: report.deployment, secret, diagnose: false },
      on: { generation_completed: (event) => void events.push(event) },
    });
    const webhookUrl = await listen(handler);
    const job = await client.content.start({ prompt: 'tides', webhookUrl });
    const done = await job.wait({ results: handler, deadline: 5000 });
    expect([done.result, events.length]).toEqual(['About tides', 1]);
  });
});

test('a missing prefix is found', async () => {
  const { report } = await judge('mixed', '');
  expect(report.results.find(({ id }) => id === 'generate.path')?.verdict).toBe('passed');
  const { report: bare } = await judge('mixed', '/');
  expect(bare.deployment.baseUrl).toMatch(/\/v2$/);
  expect(bare.ok).toBe(true);
});

function sorted(deployment: Deployment): Deployment {
  return { ...deployment, absent: [...(deployment.absent ?? [])].sort() };
}
