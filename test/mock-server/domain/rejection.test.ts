import { expect, test } from 'vitest';
import { isRejection, reject } from '../../../mock-server/domain/rejection.ts';

test('only reject makes a rejection: the same JSON from a caller is not one', () => {
  const rejection = reject('not_found', 'There is no such generation.');
  expect(isRejection(rejection)).toBe(true);
  expect(isRejection(JSON.parse(JSON.stringify(rejection)))).toBe(false);
  expect(isRejection(undefined)).toBe(false);
});
