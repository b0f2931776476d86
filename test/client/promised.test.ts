import { describe, expect, test } from 'vitest';
import type { ContentGen } from '../../src/index.ts';
import type { OperationId } from '../../src/types.ts';
import { contentgen } from './support/entry.ts';
import { clientOf, useService } from './support/service.ts';

/** What a console shows of a value: Node, Bun and Deno show the properties too. */
const inspect: (value: unknown) => string =
  globalThis.process?.getBuiltinModule?.('node:util').inspect ?? String;

describe('a response without what its type promises', () => {
  const service = useService();

  test('a response of a different shape is a ParseError', async () => {
    const { client } = clientOf(service);
    service.script({ json: { hello: 'world' } });
    await expect(client.content.generate({ prompt: 'p' })).rejects.toMatchObject({
      name: 'ParseError',
    });
    await expect(
      client.content.generate({ prompt: 'p', webhookUrl: 'https://a' }),
    ).rejects.toMatchObject({ name: 'ParseError' });
    await expect(client.webhooks.list()).rejects.toMatchObject({
      name: 'ParseError',
      operation: 'listWebhooks',
    });
  });

  /** Every operation that responds with something. */
  type Name = Exclude<OperationId, 'createApiKeyAlias' | 'deleteWebhook'> | 'start';
  const calls: Record<Name, (client: ContentGen) => { safe(): Promise<{ error?: unknown }> }> = {
    generateContent: ({ content }) => content.generate({ prompt: 'p' }),
    start: ({ content }) => content.start({ prompt: 'p', webhookUrl: 'https://a' }),
    getGeneration: ({ content }) => content.get('gen_1'),
    cancelGeneration: ({ content }) => content.cancel('gen_1'),
    listGenerations: ({ content }) => content.list(),
    createApiKey: ({ apiKeys }) => apiKeys.create(),
    listApiKeys: ({ apiKeys }) => apiKeys.list(),
    getApiKey: ({ apiKeys }) => apiKeys.get('key_1'),
    revokeApiKey: ({ apiKeys }) => apiKeys.revoke('key_1'),
    regenerateApiKey: ({ apiKeys }) => apiKeys.regenerate('key_1'),
    createWebhook: ({ webhooks }) =>
      webhooks.create({ event: 'usage_threshold', url: 'https://a' }),
    listWebhooks: ({ webhooks }) => webhooks.list(),
    getWebhook: ({ webhooks }) => webhooks.get('wh_1'),
    updateWebhook: ({ webhooks }) => webhooks.update('wh_1', { description: 'd' }),
    rotateWebhookSecret: ({ webhooks }) => webhooks.rotateSecret('wh_1'),
    testWebhook: ({ webhooks }) => webhooks.test('wh_1'),
    listDeliveries: ({ webhooks }) => webhooks.listDeliveries('wh_1'),
    listCallbackDeliveries: ({ webhooks }) => webhooks.listCallbackDeliveries(),
    redeliver: ({ webhooks }) => webhooks.redeliver('dlv_1'),
    redeliverFailed: ({ webhooks }) => webhooks.redeliverFailed('wh_1', { since: '2026-01-01' }),
    redeliverFailedCallbacks: ({ webhooks }) =>
      webhooks.redeliverFailedCallbacks({ since: '2026-01-01' }),
    getSigningSecret: ({ webhooks }) => webhooks.getSigningSecret(),
    rotateSigningSecret: ({ webhooks }) => webhooks.rotateSigningSecret(),
    getUsage: ({ usage }) => usage.get(),
  };
  const answered = async (name: Name, json: object) => {
    service.script({ json, headers: { 'api-version': '2' } });
    return (await calls[name](clientOf(service).client).safe()).error as InstanceType<
      typeof contentgen.ParseError
    >;
  };

  test.each<[Name, object, string, string]>([
    ['createApiKey', { id: 'key_1', apiKey: 'cg_test_new' }, 'key', 'id, apiKey'],
    ['regenerateApiKey', { key: { value: 'cg_test_new' } }, 'key', 'key'],
    ['createWebhook', { signing_secret: 'cg_test_new', 'a b': 1 }, 'secret', 'signing_secret'],
    ['rotateSigningSecret', { data: { secret: 'cg_test_new' } }, 'secret', 'data'],
    ['getGeneration', { id: 'cg_test_new', status: 'completed' }, 'requestId', 'id, status'],
    ['start', { id: 'cg_test_new' }, 'requestId', 'id'],
    ['generateContent', { req_id: 'gen_1', result: 'cg_test_new' }, 'requestId', 'req_id, result'],
    ['generateContent', { text: 'cg_test_new' }, 'requestId, result', 'text'],
    ['getUsage', { used: 1, period_start: 'cg_test_new' }, 'periodStart', 'used, period_start'],
    ['listGenerations', { data: { data: ['cg_test_new'] } }, 'array data', 'data'],
    ['listApiKeys', { data: [{ id: 'a', created_at: '' }] }, 'createdAt', 'id, created_at'],
  ])(
    '%s names the field that is missing from %j and keeps the body',
    async (name, body, field, fields) => {
      const error = await answered(name, body);
      expect(error).toBeInstanceOf(contentgen.ParseError);
      expect(error.code).toBe('invalid_response');
      expect(error.message).toContain(`has no ${field} (its fields: ${fields}); see error.body.`);
      const isWrapped = 'data' in body && !Array.isArray(body.data);
      expect(error.message.includes("set deployment: { wrap: 'data' }.")).toBe(isWrapped);
      expect(error.body).toEqual(body);
      expect(`${JSON.stringify(error)}${inspect(error)}`).not.toContain('cg_test_new');
    },
  );

  test.each(Object.keys(calls) as Name[])(
    '%s rejects a response without anything that it promises',
    async (name) => {
      const foreign = { answer: 42, data: [{ answer: 42 }] };
      expect(await answered(name, foreign)).toMatchObject({ name: 'ParseError', body: foreign });
    },
  );
});
