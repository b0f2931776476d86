import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DeploymentJson } from '../../src/index.ts';
import {
  type ConformanceReceiver,
  createConformanceReceiver,
  runConformance,
} from '../../src/testing/index.ts';
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
    // With these files, given-only.test.ts makes a first call and receives a first webhook.
    expect(sorted(found)).toEqual(sorted(deployments[name]));
    expect(Object.keys(conformance?.verdicts ?? {})).toHaveLength(38);
    const kept = JSON.stringify(report);
    for (const secret of [service.apiKey, service.secret]) expect(kept).not.toContain(secret);
    // Nothing can be removed from a service that only creates.
    expect(report.left).toEqual([
      expect.stringMatching(/^a registration of http/),
      expect.stringMatching(/^an API key named conform-/),
    ]);
  });
});

test('a missing prefix is found', async () => {
  const { report } = await judge('mixed', '');
  expect(report.results.find(({ id }) => id === 'generate.path')?.verdict).toBe('passed');
  const { report: bare } = await judge('mixed', '/');
  expect(bare.deployment.baseUrl).toMatch(/\/v2$/);
  expect(bare.ok).toBe(true);
});

function sorted(deployment: DeploymentJson): DeploymentJson {
  return { ...deployment, absent: [...(deployment.absent ?? [])].sort() };
}
