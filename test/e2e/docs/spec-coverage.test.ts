import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/spec-coverage.md', root), 'utf8');
const contract = readFileSync(new URL('openapi.yaml', root), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| The specification'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
const quoted = (cell: string | undefined) =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

describe('docs/spec-coverage.md', () => {
  test('maps every part of the specification', () => {
    const parts = [...page.matchAll(/^## (\d)\./gm)].map(([, part]) => Number(part));
    expect(parts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rows.length).toBeGreaterThan(50);
  });

  test.each(rows.map((row) => [row[0] ?? '', row] as const))('%s', (_sentence, row) => {
    expect(row).toHaveLength(5);
    const [, named, files, tests, status] = row;
    expect(['done', 'open']).toContain(status);
    for (const path of [...quoted(files), ...quoted(tests)]) {
      expect(existsSync(new URL(path, root)), path).toBe(true);
    }
    if (status === 'done') expect(quoted(tests)).not.toHaveLength(0);
    for (const name of quoted(named)) {
      for (const part of name.replace(/^.* /, '').split('.')) {
        if (part !== 'yaml') expect(contract, name).toContain(part);
      }
    }
  });
});

test('the types of events and callbacks are the component schemas that the contract points to', () => {
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
