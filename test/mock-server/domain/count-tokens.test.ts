import { expect, test } from 'vitest';
import { countTokens } from '../../../mock-server/domain/default-generator.ts';

test.each([
  ['', 0],
  ['word', 1],
  ['words', 2],
  ['言葉', 1],
  ['x'.repeat(100_000), 25_000],
])('every four characters are a token, started ones too (%#)', (text, tokens) => {
  expect(countTokens(text)).toBe(tokens);
});
