// @vitest-environment jsdom
import { setupMockServer } from 'contentgen/mock/node';
import { expect, test } from 'vitest';

test('an AbortController that Request does not accept is named, with what to do', () => {
  expect(() => setupMockServer()).toThrow(/jsdom of Vitest 2 and 3.* msw@2/);
});
