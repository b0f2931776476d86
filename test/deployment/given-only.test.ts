import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { ContentGen, isContentGenError, OperationAbsentError } from '../../src/index.ts';
import {
  createWebhookHandler,
  verifyWebhook,
  type WebhookEvent,
} from '../../src/webhooks/index.ts';
import { receiveAt } from '../support/dialects/examine.ts';
import { givenOnlyFiles } from '../support/dialects/files.ts';
import { type RunningReading, startReading } from '../support/dialects/reading.ts';
import { givenOnly } from '../support/dialects/readings.ts';

const names = Object.keys(givenOnly) as (keyof typeof givenOnly)[];

describe.each(names)('against the %s service, with its deployment file', (name) => {
  const deployment = defineDeployment(givenOnlyFiles[name]);
  let service: RunningReading;
  let client: ContentGen;
  beforeEach(async () => {
    service = await startReading({ ...givenOnly[name], tokens: 300 });
    onTestFinished(() => service.close());
    const { baseUrl, apiKey } = service;
    client = new ContentGen({ baseUrl, apiKey, deployment, logLevel: 'off' });
  });

  /** A receiver on a socket, and what it was sent. */
  async function startReceiver() {
    const events: WebhookEvent[] = [];
    const note = (event: WebhookEvent) => void events.push(event);
    const handler = createWebhookHandler({
      deployment,
      logger: { ...console, diagnose: false },
      secret: () => service.secret,
      on: { generation_completed: note, usage_threshold: note, invoice_paid: note },
    });
    return { handler, events, url: await receiveAt(handler) };
  }

  test('a wait without a receiver says that there is nothing to poll', async () => {
    const job = client.content.resume('any');
    await expect(job.wait()).rejects.toThrow(/operation_absent.*Pass `results`/);
    const results = { waitFor: () => new Promise<never>(() => {}) };
    await expect(job.wait({ results, deadline: 20 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
  });

  test('the whole story: the created key generates, at once and in the background, then usage and invoice', async () => {
    const { handler, events, url } = await startReceiver();
    for (const event of ['usage_threshold', 'invoice_paid'] as const)
      await client.webhooks.create({ event, url });
    const { key } = await client.apiKeys.create();
    const own = client.withOptions({ apiKey: key });
    const facts = { model: 'writer-1', usage: { totalTokens: 300 } };
    for (const prompt of ['one', 'two'])
      expect(await own.content.generate({ prompt })).toMatchObject({
        ...{ requestId: expect.any(String), result: `About ${prompt}`, ...facts },
      });
    const job = await own.content.start({ prompt: 'three', webhookUrl: url });
    expect(await job.wait({ results: handler, deadline: 10_000 })).toMatchObject({
      ...{ requestId: job.requestId, result: 'About three', ...facts },
    });
    expect(service.asked.filter(({ method }) => method !== 'POST')).toEqual([]);
    service.payInvoice();
    await expect.poll(() => events.length).toBe(3);
    const byType = new Map(events.map(({ type, payload }) => [type, payload]));
    expect(byType.get('usage_threshold')).toMatchObject({
      ...{ usage: 900, threshold: 900, organization: 'org-7' },
    });
    expect(byType.get('invoice_paid')).toMatchObject({ invoice: { status: 'paid' } });
    expect(byType.get('generation_completed')).toMatchObject({ requestId: job.requestId });
  });

  test('a callback that is sent twice is handled once', async () => {
    const { events, url } = await startReceiver();
    await client.content.start({ prompt: 'tides', webhookUrl: url });
    await expect.poll(() => events.length).toBe(1);
    const [{ headers = {}, body = '' } = {}] = service.deliveries;
    const again = await fetch(url, { method: 'POST', headers, body });
    expect([again.status, events.length]).toEqual([200, 1]);
    const forged = await fetch(url, { method: 'POST', headers, body: `${body} ` });
    expect([forged.status, events.length]).toEqual([400, 1]);
    const event = await verifyWebhook({ deployment, body, headers, secret: service.secret });
    expect(event.id).toMatch(/:completed$/);
  });

  test('a generation whose answer is lost is billed once, and the error says what to do', async () => {
    service.loseNextAnswer();
    const error = await client.content.generate({ prompt: 'tides' }).catch((error) => error);
    expect(isContentGenError(error) && error.code).toBe('connection_failed');
    expect(error.message).toContain('might have been carried out');
    expect(service.billed).toBe(1);
  });

  test('an absent operation is an error before anything is sent', async () => {
    await expect(client.usage.get()).rejects.toThrow(OperationAbsentError);
    expect(service.asked).toEqual([]);
  });
});
