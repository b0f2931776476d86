import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { problemOf } from '../../../mock-server/api/problem.ts';
import type { ProblemCode } from '../../../mock-server/contract.ts';
import { reject } from '../../../mock-server/domain/rejection.ts';

const { components } = parse(
  readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8'),
) as { components: { examples: Record<string, { value: Record<string, unknown> }> } };
const problems = Object.entries(components.examples).filter(([name]) => name.startsWith('Problem'));

test('the contract has an example of each problem code', () => {
  expect(problems.length).toBeGreaterThanOrEqual(18);
});

test.each(problems)(
  '%s has the type, title and status that the server returns',
  (_name, { value }) => {
    const code = value['code'] as ProblemCode;
    const { body } = problemOf(reject(code, ''), 'req_1');
    const { type, title, status } = body;
    expect({ type, title, status }).toEqual({
      type: value['type'],
      title: value['title'],
      status: value['status'],
    });
  },
);
