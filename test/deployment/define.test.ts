import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../deployment.schema.json' with { type: 'json' };
import { type DeploymentJson, defineDeployment } from '../../src/deployment/index.ts';
import { givenOnlyFiles } from '../support/dialects/files.ts';

const define = (json: unknown) => defineDeployment(json as DeploymentJson);
const fitsSchema = new Ajv({ strict: false }).compile(schema);

describe('a wrong file fails where it is read, and the schema agrees', () => {
  /** The schema does not see what two entries say together, and what depends on a name. */
  test.each<[unknown, string, fitsSchema?: boolean]>([
    [{ absent: ['getNothing'] }, 'absent'],
    [{ idempotency: true }, 'idempotency must be'],
    [{ scheme: { type: 'standard', encoding: 'hex' } }, 'the type standard has no encoding'],
    [{ scheme: { type: 'hmac', encoding: 'base58' } }, 'encoding must be one of'],
    [{ secretEncoding: 'ascii' }, 'secretEncoding must be one of'],
    [{ statuses: { complete: 'x' } }, "unknown 'complete'. Did you mean 'completed'?"],
    [{ fields: { key: '' } }, 'fields must be'],
    [{ fields: { model: 'a', result: 'a' } }, 'the same name or place', true],
    [{ baseUrl: 'ftp://a.example' }, 'baseUrl must be'],
    ['file', 'it must be an object'],
    [{ shceme: {} }, "Did you mean 'scheme'?"],
    [{ wrap: '' }, 'wrap must be a field name'],
    [{ accessTokenHeader: 'X-Api-Key' }, 'accessTokenHeader cannot be', true],
    [{ tokenHeader: 'X Token' }, 'tokenHeader must be'],
    [{ tokenHeader: 'X-Service-Signature' }, 'tokenHeader is a header of the signature', true],
    [{ eventNames: { invoice_settled: 'x' } }, "unknown 'invoice_settled'."],
    [{ eventNames: { invoice_paid: 'data_updated' } }, 'eventNames must be', true],
    [{ scheme: { type: 'hmac', signs: '{timestamp}.{body}' } }, 'Say where that is', true],
    [{ scheme: { type: 'hmac', signs: '{id}.{body}' } }, 'it signs an id', true],
    [{ scheme: { type: 'hmac', format: '{timestamp}' } }, 'format must be'],
    [
      { fields: { requestid: 'x' } },
      "fields has an unknown field 'requestid'. Did you mean 'requestId'?",
    ],
    [{ fields: { request_id: 'requestId' } }, "write 'requestId': 'request_id', the contract's"],
    [{ errors: {} }, 'errors must be'],
    [{ absent: ['generateContent.nothing'] }, 'absent must be'],
    [{ absent: ['stream', 'listgenerations'] }, "Did you mean 'listGenerations'?"],
    [{ paths: null }, 'paths must be an object of operation ids'],
    [{ paths: { createApiKeys: '/a' } }, "Did you mean 'createApiKey'?"],
    [{ paths: { constructor: '/a' } }, "unknown operation 'constructor'."],
    [
      { paths: { '/api/ai/content/generate': '/v1/generate' } },
      "write 'listGenerations' or 'generateContent'.",
    ],
    ...[
      ...[{ createApiKey: 'api-keys' }, { createApiKey: '/a?b' }],
      ...[{ getUsage: '/a/../b' }, { getUsage: 7 }],
      ...[{ createApiKey: '/keys/{id}' }, { getApiKey: '/keys' }, { getApiKey: '/keys/{key}' }],
    ].map((paths, index): [unknown, string, boolean] => [
      { paths },
      `has no valid path for ${Object.keys(paths)[0]}: it must start with /`,
      index >= 4,
    ]),
    [{ paths: { getUsage: '/api/webhooks' } }, 'the same address: GET /api/webhooks', true],
    [
      { paths: { createApiKeyAlias: '/api/webhooks' } },
      'the same address: POST /api/webhooks',
      true,
    ],
  ])('%j', (json, problem, fits = false) => {
    expect(() => define(json)).toThrow(TypeError);
    expect(() => define(json)).toThrow(problem);
    expect(fitsSchema(json)).toBe(fits);
  });

  test.each(['status', 'model', 'requestId', 'prompt', 'usage'])(
    'the callback field cannot be called %j, which another field of the same body has',
    (webhookUrlField) => {
      expect(() => define({ webhookUrlField })).toThrow(/same name or place/);
    },
  );
});

test.each(Object.entries(givenOnlyFiles))(
  'the file of %s is right, and the schema agrees',
  (_, json) => {
    expect(define(json).json).toEqual(json);
    expect(fitsSchema(json)).toBe(true);
  },
);

describe('names', () => {
  test('every property of the contract can have another one, and one of a schema its own', () => {
    const { toOurs } = define({
      fields: {
        quota: 'limit',
        periodStart: 'from',
        messageId: 'message',
        attempts: 'tries',
        'ApiKey.id': 'key_id',
        'Webhook.id': 'hook_id',
      },
    });
    expect(toOurs.response('getUsage', { limit: 7, from: 'x' })).toEqual({
      quota: 7,
      periodStart: 'x',
    });
    expect(toOurs.response('createApiKey', { key_id: 'k', key: 's' })).toEqual({
      id: 'k',
      key: 's',
    });
    expect(toOurs.response('listWebhooks', { data: [{ hook_id: 'h' }] })).toEqual({
      data: [{ id: 'h' }],
    });
    const payload = { event: 'usage_threshold', limit: 1 };
    expect(toOurs.payload(payload)).toEqual({ event: 'usage_threshold', quota: 1 });
    expect(toOurs.response('listDeliveries', { data: [{ message: 'm', tries: [] }] })).toEqual({
      data: [{ messageId: 'm', attempts: [] }],
    });
  });

  test('words are looked up as words: a status `toString` is a string', () => {
    const { toOurs } = define({ statuses: { completed: 'DONE' } });
    for (const status of ['toString', 'constructor', '__proto__'])
      expect(toOurs.response('getGeneration', { status })).toEqual({ status });
    expect(toOurs.response('getGeneration', { status: 'DONE' })).toEqual({ status: 'completed' });
  });
});

test.each([
  { fields: { requestId: '__proto__.toString' } },
  { fields: { requestId: 'a.__proto__' } },
  { fields: { requestId: 'a\n.__proto__' } },
  { fields: { requestId: '\n__proto__' } },
  { wrap: '__proto__' },
  { webhookUrlField: '__proto__' },
  { statuses: { completed: '__proto__' } },
  { eventNames: { invoice_paid: '__proto__' } },
  { errors: { code: '__proto__.code' } },
  { scheme: { type: 'token', header: '__proto__' } },
  { idempotency: '__proto__' },
  { idempotency: 'Transfer-Encoding' },
  { fields: { requestId: `${'a.'.repeat(128)}b` } },
  { wrap: 'a'.repeat(256) },
  { statuses: { completed: 'a'.repeat(256) } },
  JSON.parse('{ "fields": { "__proto__": "x" } }'),
  JSON.parse('{ "__proto__": { "wrap": "x" } }'),
])('a hostile file does nothing: %j', (json) => {
  expect(() => define(json)).toThrow(TypeError);
  expect(({} as { x?: unknown }).x).toBeUndefined();
  expect(Object.prototype.toString.call([])).toBe('[object Array]');
});
