import { expect, test } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';

test.each(['real', 'manual'] as const)(
  'a seed gives 100 starts on a %s clock the same keys and secret',
  async (clock) => {
    const starts = new Set<string>();
    for (let start = 0; start < 100; start += 1) {
      const mock = createMockServer({ seed: 7, clock });
      starts.add([mock.adminKey, mock.memberKey, mock.signingSecret].join(' '));
      await mock.close();
    }
    expect(starts.size).toBe(1);
  },
);
