import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { expect, test } from 'vitest';
import { countTokens } from '../../../mock-server/domain/default-generator.ts';

const pieces = fc.constantFrom(
  ...['word', 'longerword', 'Mixed', "don't", '7', '1234567', 'a1', ' ', '  ', '\t', '\n', '\r\n'],
  ...[
    '\n\n',
    '\u0000',
    '.',
    '...',
    '!?!?!?!?',
    '_',
    '-',
    '"',
    'naïve',
    '言葉',
    '。',
    '🙂',
    '\u00a0',
  ],
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 20 }).map((list) => list.join('')),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test('tokens are counted as tokenx counts them', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(countTokens(text)).toBe(estimateTokenCount(text));
    }),
    { numRuns: 2000 },
  );
});
