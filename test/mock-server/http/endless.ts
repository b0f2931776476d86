import type { Generator } from '../../../mock-server/domain/ports.ts';

/** Yields once and then never ends, unless its signal aborts. */
export const endless: Generator = async function* (_, { signal }) {
  yield 'on and on';
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
};
