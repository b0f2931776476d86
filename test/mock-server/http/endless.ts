import type { Generator } from '../../../mock-server/domain/ports.ts';

/** Says one thing and never ends, unless it is told to. */
export const endless: Generator = async function* (_, { signal }) {
  yield 'on and on';
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
};
