import { sampleTypes } from 'contentgen/testing';
import { describe, expect, test } from 'vitest';
import { operationDetails, problemCodes } from '../../src/generated/operations.ts';
import * as schemas from '../../src/generated/schemas.ts';
import { validators } from '../../src/generated/validators.ts';
import { componentFaults, contractFaults, eventData } from '../support/contract.ts';
import { mediaTypes, messages, operations, resolve, schemaName } from './document.ts';

const sentHeaders = new Headers({
  'content-type': 'text/event-stream',
  'x-request-id': 'req_1',
  'api-version': '2',
});

const samples = mediaTypes()
  .filter(({ name }) => !name.endsWith('text/event-stream'))
  .flatMap(({ name, media }) =>
    Object.entries(media.examples ?? {}).map(([title, example]) => ({
      name: `${name}: ${title}`,
      schema: schemaName(media) ?? '',
      value: resolve(example).value,
    })),
  )
  .filter((sample, i, all) => {
    const same = (other: typeof sample) =>
      other.schema === sample.schema && other.value === sample.value;
    return all.findIndex(same) === i;
  });
const generated = new Map(Object.entries(schemas));

describe('each example of the contract', () => {
  test('exists for every body', () => {
    const without = mediaTypes().filter(({ media }) => !media.examples);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test.each(samples)('matches its schema: $name', ({ schema, value }) => {
    expect(componentFaults(schema, value, schema)).toEqual([]);
  });

  test.each(samples)('matches its generated schema: $name', ({ schema, value }) => {
    expect(generated.get(schema)?.safeParse(value)).toMatchObject({ success: true });
  });

  test.each(samples.filter(({ schema }) => Object.hasOwn(validators, schema)))(
    'passes its generated validator: $name',
    ({ schema, value }) => {
      const validate: { (value: unknown): boolean; errors?: unknown } =
        validators[schema as keyof typeof validators];
      expect(validate(structuredClone(value)), JSON.stringify(validate.errors)).toBe(true);
    },
  );
});

test('the stream is text, and each of its events matches the schema that the contract names for it', () => {
  const streams = mediaTypes().filter(({ name }) => name.endsWith('text/event-stream'));
  expect(streams).toHaveLength(2);
  for (const { media } of streams) {
    expect(media).toMatchObject({ schema: { type: 'string' } });
    for (const example of Object.values(media.examples ?? {})) {
      const text = String(resolve(example).value);
      const head = { status: 200, headers: sentHeaders };
      expect(eventData(text).length).toBeGreaterThan(1);
      expect(contractFaults('generateContent', head, text)).toEqual([]);
      const damaged = text.replaceAll('"delta"', '"dleta"');
      expect(contractFaults('generateContent', head, damaged)).not.toEqual([]);
      const renamed = text.replace('event: generation.delta', 'event: generation.other');
      expect(contractFaults('generateContent', head, renamed)).not.toEqual([]);
    }
  }
});

describe('each operation of the contract', () => {
  test('names the role it requires', () => {
    const roles = operations().map((operation) => operation['x-role']);
    expect(new Set(roles)).toEqual(new Set(['admin', 'member']));
  });

  test('returns the request id and the API version in every response', () => {
    const silent = operations().flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, response]) => {
          const headers = resolve(response).headers ?? {};
          return !('X-Request-Id' in headers && 'API-Version' in headers);
        })
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  test('declares 401, 429, 500 and 503, and only errors that have problem codes', () => {
    for (const [id, { statuses }] of Object.entries(operationDetails)) {
      const failures = statuses.filter((status) => status >= 400);
      expect({ id, failures }).toEqual({
        id,
        failures: expect.arrayContaining([401, 429, 500, 503]),
      });
      expect(Object.keys(problemCodes)).toEqual(expect.arrayContaining(failures.map(String)));
    }
  });
});

test('each status has a closed list of codes', () => {
  expect(problemCodes).toEqual({
    400: ['invalid_json', 'invalid_request'],
    401: [
      'expired_api_key',
      'expired_token',
      'invalid_api_key',
      'invalid_token',
      'missing_credentials',
      'multiple_credentials',
      'revoked_api_key',
    ],
    403: ['insufficient_permissions'],
    404: ['not_found'],
    405: ['method_not_allowed'],
    409: ['idempotency_in_progress', 'invalid_state'],
    413: ['payload_too_large'],
    415: ['unsupported_media_type'],
    422: ['idempotency_key_reused', 'model_not_found', 'validation_failed'],
    429: ['quota_exceeded', 'rate_limited'],
    500: ['generation_failed', 'internal_error'],
    503: ['unavailable'],
  });
});

test('every message that the service posts has a component schema and a type that the receiver knows', () => {
  const posted = messages().map(({ name, operation }) => {
    const body = operation.requestBody?.content?.['application/json'];
    return [name, schemaName(body)];
  });
  expect(Object.fromEntries(posted)).toEqual({
    usage_threshold: 'UsageThresholdEvent',
    invoice_paid: 'InvoicePaidEvent',
    invoice_payment_failed: 'InvoicePaymentFailedEvent',
    data_updated: 'DataUpdatedEvent',
    generationResult: 'GenerationResultCallback',
  });
  const { generationResult: _callback, ...events } = Object.fromEntries(posted);
  const callbackTypes = ['generation_completed', 'generation_failed'];
  expect([...sampleTypes].sort()).toEqual([...Object.keys(events), ...callbackTypes].sort());
});
