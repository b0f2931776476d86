import { createMockServer } from 'contentgen/mock';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check, patience } from './check.ts';

interface Step {
  readonly key: 'a' | 'b' | 'c';
  readonly prompt: 'one' | 'two' | '';
  readonly operation: 'generate' | 'key' | 'alias';
  readonly prefix: '' | '/v2';
  readonly hours: 0 | 1 | 25;
}

const step: fc.Arbitrary<Step> = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  prompt: fc.constantFrom('one', 'two', ''),
  operation: fc.constantFrom('generate', 'key', 'alias'),
  prefix: fc.constantFrom('', '/v2'),
  hours: fc.constantFrom(0, 0, 0, 1, 25),
});
const paths = {
  generate: '/api/ai/content/generate',
  key: '/api/auth/api-keys',
  alias: '/api-keys/generate',
};

/** The contract's model of one idempotency key: what was first sent with it, and when. */
interface Remembered {
  readonly body: string;
  readonly at: number;
  readonly id: string;
}

test('any sequence of calls behaves like the contract’s model of idempotency', {
  timeout: patience,
}, async () => {
  await check(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const mock = createMockServer({ clock: 'manual', seed: 1 });
      const model = new Map<string, Remembered>();
      for (const { key, prompt, operation, prefix, hours } of steps) {
        await mock.clock.advance(hours * 3_600_000);
        const body = JSON.stringify(operation === 'generate' ? { prompt } : { name: prompt });
        const response = await mock.fetch(`${mock.baseUrl}${prefix}${paths[operation]}`, {
          method: 'POST',
          headers: {
            'X-API-Key': mock.adminKey,
            'Content-Type': 'application/json',
            'Idempotency-Key': key,
          },
          body,
        });
        const result = (await response.json()) as Record<string, string>;
        const id = result['requestId'] ?? result['id'] ?? '';
        const scope = `${operation === 'generate' ? 'generate' : 'key'} ${key}`;
        const known = model.get(scope);
        const now = mock.clock.now();
        const fresh = !known || now - known.at >= 24 * 3_600_000;
        const replayed = response.headers.get('idempotency-replayed');
        if (!fresh && known.body !== body) {
          expect([response.status, result['code']]).toEqual([422, 'idempotency_key_reused']);
        } else if (prompt === '' && fresh) {
          expect([response.status, result['code']]).toEqual([422, 'validation_failed']);
        } else if (fresh) {
          expect([response.status, replayed]).toEqual([operation === 'generate' ? 200 : 201, null]);
          model.set(scope, { body, at: now, id });
        } else if (operation !== 'generate' && now - known.at > 3_600_000) {
          expect([response.status, result['code']]).toEqual([409, 'invalid_state']);
        } else if (operation === 'generate' || now - known.at < 3_600_000) {
          expect([replayed, id]).toEqual(['true', known.id]);
        }
      }
      await mock.close();
    }),
    60,
  );
});
