import { describe, expect, onTestFinished, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { ContentGen } from '../../src/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { examine, receiveAt } from '../support/dialects/examine.ts';
import { fileOf } from '../support/dialects/files.ts';
import { startReading } from '../support/dialects/reading.ts';
import { dialects } from '../support/dialects/readings.ts';
import { read } from '../support/sources.ts';

test('the services are written without a line of ours', () => {
  for (const file of ['reading.ts', 'readings.ts', 'service.ts'])
    for (const { specifier } of read(`test/support/dialects/${file}`).imports)
      expect(specifier).toMatch(/^(node:|\.\/)/);
});

describe.each(Object.keys(dialects) as (keyof typeof dialects)[])(
  'a service of the dialect %s',
  (name) => {
    const file = fileOf(name);
    const ordered = ({ absent, ...others }: { absent?: unknown }) => ({
      ...others,
      absent: [absent ?? []].flat().sort(),
    });

    test('every line of its file is found, none is invented, and the file is proven', async () => {
      const report = await examine(await startReading(dialects[name]));
      expect(report.problem).toBeUndefined();
      expect(ordered(report.deployment)).toEqual(ordered(file));
      expect(report.lines.filter(({ confirm }) => confirm)).toEqual([]);
      expect(report.proof.filter(({ ok }) => ok === false)).toEqual([]);
      const worked = report.proof.filter(({ ok }) => ok).map(({ what }) => what.split(':')[0]);
      expect(worked).toEqual(expect.arrayContaining(['a call with a callback', 'a callback']));
    });

    // Two stand for the others: what is found with the file is found by the same code as without it.
    if (name === 'dataWrapper' || name === 'kebabCase')
      test('with its file, nothing differs', async () => {
        const report = await examine(await startReading(dialects[name]), { deployment: file });
        expect(report.lines).toEqual([]);
        expect(report.deployment).toEqual(file);
      });

    test('with its file, a first call and a first webhook work', async () => {
      const service = await startReading(dialects[name]);
      onTestFinished(() => service.close());
      const deployment = defineDeployment(file);
      const events: WebhookEvent[] = [];
      const handler = createWebhookHandler({
        deployment,
        secret: service.secret,
        on: { generation_completed: (event) => void events.push(event) },
      });
      const webhookUrl = await receiveAt(handler);
      const { baseUrl, apiKey } = service;
      const client = new ContentGen({
        ...{ baseUrl, deployment, logLevel: 'off' },
        ...(name === 'htmlErrors' ? { accessToken: apiKey } : { apiKey }),
      });
      if (name !== 'stripeSigned') {
        const done = await client.content.generate({ prompt: 'Tides' });
        expect(done).toMatchObject({
          requestId: expect.any(String),
          result: expect.any(String),
          model: expect.any(String),
          usage: { totalTokens: expect.any(Number) },
        });
      }
      const job = await client.content.start({ prompt: 'Tides', webhookUrl });
      const { result } = await job.wait({
        results: handler,
        deadline: 10_000,
        pollInterval: false,
      });
      expect(result).toEqual(expect.any(String));
      expect(events).toMatchObject([{ payload: { requestId: job.requestId, result } }]);
    });
  },
);

test('a callback with its secret as a Bearer token is proven', async () => {
  const sign = (_: string, secret: string) => ({ authorization: `Bearer ${secret}` });
  const service = await startReading({ ...dialects.snakeCase, sign });
  const { deployment, proof } = await examine(service);
  const scheme = { type: 'token', header: 'authorization', prefix: 'Bearer ' };
  expect(deployment['scheme']).toEqual(scheme);
  expect(proof.find(({ what }) => what.startsWith('a callback:'))?.ok).toBe(true);
});
