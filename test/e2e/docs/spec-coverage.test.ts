import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/spec-coverage.md', root), 'utf8');
const contract = readFileSync(new URL('openapi.yaml', root), 'utf8');
const table = page.slice(page.indexOf('| The specification |'));
const lines = table
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('| '));
const rows = lines
  .filter((line) => !line.startsWith('| **'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
const quoted = (cell: string | undefined) =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

describe('docs/spec-coverage.md', () => {
  test('covers every part of the specification', () => {
    const parts = [...table.matchAll(/^\| \*\*(\d)\./gm)].map(([, part]) => Number(part));
    expect(parts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rows.length).toBeGreaterThan(50);
  });

  test('names only files and tests that exist', () => {
    const paths = rows.flatMap(([, , files, tests]) => [...quoted(files), ...quoted(tests)]);
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('names only operations and schemas of the contract', () => {
    const parts = rows
      .flatMap(([, named]) => quoted(named))
      .flatMap((name) => name.replace(/^.* /, '').split('.'));
    expect(parts.filter((part) => part !== 'yaml' && !contract.includes(part))).toEqual([]);
  });

  test('has a test for every statement', () => {
    for (const row of rows) expect(row, row[0]).toHaveLength(4);
    expect(rows.filter(([, , , tests]) => quoted(tests).length === 0)).toEqual([]);
  });
});

test('the contract describes events and callbacks with the expected component schemas', () => {
  const { paths, webhooks } = parse(contract) as {
    paths: Record<
      string,
      Record<string, { callbacks?: Record<string, Record<string, Described>> }>
    >;
    webhooks: Record<string, Described>;
  };
  type Described = {
    post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } };
  };
  const schemaOf = (described: Described | undefined) =>
    described?.post.requestBody.content['application/json']?.schema.$ref;
  const callbacks = paths['/api/ai/content/generate']?.['post']?.callbacks ?? {};
  const pointed = {
    ...Object.fromEntries(Object.entries(webhooks).map(([event, each]) => [event, schemaOf(each)])),
    callback: schemaOf(Object.values(callbacks['generationResult'] ?? {})[0]),
  };
  expect(pointed).toEqual({
    usage_threshold: '#/components/schemas/UsageThresholdEvent',
    invoice_paid: '#/components/schemas/InvoicePaidEvent',
    invoice_payment_failed: '#/components/schemas/InvoicePaymentFailedEvent',
    data_updated: '#/components/schemas/DataUpdatedEvent',
    callback: '#/components/schemas/GenerationResultCallback',
  });
});
