import { inspect } from 'node:util';
import * as contentgen from 'contentgen';
import { describe, expect, test } from 'vitest';
import { rows } from './support/operations.ts';
import { clientOf, useService } from './support/service.ts';

describe('a response without what its type promises', () => {
  const service = useService();

  /** Every operation that responds with something. */
  type Name = Exclude<keyof typeof rows, 'deleteWebhook'> | 'start';
  const names = Object.keys(rows).filter((name) => name !== 'deleteWebhook') as Name[];
  const answered = async (name: Name, json: object) => {
    service.script({ json, headers: { 'api-version': '2' } });
    const { client } = clientOf(service);
    const start = () => client.content.start({ prompt: 'p', webhookUrl: 'https://a' });
    const call = name === 'start' ? start() : rows[name][0](client);
    return (await call.safe()).error as InstanceType<typeof contentgen.ParseError>;
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

  test.each<Name>([...names, 'start'])(
    '%s rejects a response without anything that it promises',
    async (name) => {
      const foreign = { answer: 42, data: [{ answer: 42 }] };
      expect(await answered(name, foreign)).toMatchObject({ name: 'ParseError', body: foreign });
    },
  );
});
