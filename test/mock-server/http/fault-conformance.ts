import { describe, expect, test } from 'vitest';
import type { MockServer } from '../../../mock-server/composition/mock-server.ts';

const generate = '/api/ai/content/generate';

export type CallInit = RequestInit & { readonly key?: string | null };

interface Access {
  env(): { readonly mock: MockServer };
  call(path: string, init?: CallInit): Promise<Response>;
  post(path: string, body: unknown, init?: CallInit): Promise<Response>;
}

/** What of a body arrives, and whether its connection broke. */
async function readUntilBroken(response: Response): Promise<{ text: string; broken: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return { text, broken: false };
      text += decoder.decode(next.value, { stream: true });
    }
  } catch {
    return { text, broken: true };
  }
}

/** Every fault behaves the same, however the mock is reached. */
export function faultConformance(name: string, { env, call, post }: Access): void {
  describe(`${name}: faults`, () => {
    test('a status replaces the response as often as requested', async () => {
      const { faults } = env().mock;
      const effect = { status: 503, retryAfter: 7 };
      faults.add({ operation: 'getUsage', times: 1, effect });
      const asked = await call('/api/usage');
      expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, '7']);
      for (const status of [429, 503]) {
        faults.add({ operation: 'getUsage', times: 1, effect: { status } });
        const unasked = await call('/api/usage');
        expect([unasked.status, unasked.headers.get('retry-after')]).toEqual([status, null]);
      }
      expect((await call('/api/usage')).status).toBe(200);
    });

    test('a dropped response is a failed call', async () => {
      env().mock.faults.add({ operation: 'getUsage', times: 1, effect: { drop: true } });
      await expect(call('/api/usage')).rejects.toThrow(TypeError);
      expect((await call('/api/usage')).status).toBe(200);
    });

    test('a dropped or cut stream can be read on', async () => {
      const { faults } = env().mock;
      for (const effect of [{ drop: true }, { cutStream: { after: 2 } }] as const) {
        faults.add({ operation: 'generateContent', times: 1, effect });
        const response = await post(generate, { prompt: 'p', stream: true }).catch(() => undefined);
        const { text, broken } = response
          ? await readUntilBroken(response)
          : { text: '', broken: true };
        expect([text.match(/^id:/gm)?.length ?? 0, broken]).toEqual([
          'drop' in effect ? 0 : 2,
          true,
        ]);
        const [{ requestId }] = (await (await call(generate)).json()).data;
        const rest = await call(`${generate}/${requestId}`, {
          headers: { accept: 'text/event-stream', 'last-event-id': text === '' ? '0' : '2' },
        });
        const { text: read } = await readUntilBroken(rest);
        const deltas = `${text}${read}`.matchAll(/^data: .*"delta":(".*")\}$/gm);
        const whole = Array.from(deltas, ([, delta = '""']) => JSON.parse(delta)).join('');
        expect(JSON.parse(read.match(/^data: (.*"completed".*)$/m)?.[1] ?? '').result).toBe(whole);
      }
    });

    test('after close a call fails as if there were no server', async () => {
      expect((await call('/api/usage')).status).toBe(200);
      await env().mock.close();
      await expect(call('/api/usage')).rejects.toThrow(TypeError);
    });

    const ask = {
      response: () => call('/api/usage'),
      stream: () => post(generate, { prompt: 'p', stream: true }),
    };

    test.each([
      ['response', 10, /^\{"/],
      ['response', 0, /^$/],
      ['stream', 500, /^event: generation\.delta$/m],
      ['stream', 0, /^$/],
    ] as const)(
      'a %s that is truncated after %i bytes arrives up to there, then the connection breaks',
      async (kind, truncate, begins) => {
        env().mock.faults.add({ operation: '*', times: 1, effect: { truncate } });
        const response = await ask[kind]();
        expect(response.status).toBe(200);
        const { text, broken } = await readUntilBroken(response);
        expect([text.length, broken]).toEqual([truncate, true]);
        expect(text).toMatch(begins);
      },
    );

    test.each([
      ['response', /^(?!\{.*\}$)/],
      ['stream', /^data: \{"malformed":\n\n$/],
    ] as const)('a malformed %s violates the contract, but is complete', async (kind, violates) => {
      env().mock.faults.add({ operation: '*', times: 1, effect: { malformed: true } });
      const { text, broken } = await readUntilBroken(await ask[kind]());
      expect(broken).toBe(false);
      expect(text).toMatch(violates);
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
    });

    test('a lost response is a failed call to an operation that ran', async () => {
      env().mock.faults.add({ operation: '*', times: 2, effect: { loseAnswer: true } });
      await expect(post(generate, { prompt: 'p' })).rejects.toThrow(TypeError);
      await expect(post(generate, { prompt: 's', stream: true })).rejects.toThrow(TypeError);
      const { data } = await (await call(generate)).json();
      expect(data).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    });

    test('a stalled response sends its beginning and then nothing', async () => {
      env().mock.faults.add({ operation: 'getUsage', times: 1, effect: { stall: true } });
      const reader = (await call('/api/usage')).body?.getReader();
      const first = await reader?.read();
      expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"/);
      const next = reader?.read().then(
        () => 'more',
        () => 'broken',
      );
      const pause = new Promise((resolve) => setTimeout(resolve, 50, 'nothing'));
      expect(await Promise.race([next, pause])).toBe('nothing');
      env().mock.reset();
      expect(await next).toBe('broken');
    });

    test('a delayed response arrives after its delay', async () => {
      env().mock.faults.add({ operation: 'getUsage', times: 1, effect: { delay: 50 } });
      const started = performance.now();
      expect((await call('/api/usage')).status).toBe(200);
      expect(performance.now() - started).toBeGreaterThan(40);
    });

    test('a fault for one organization does not affect the others', async () => {
      const { organization, adminKey: key } = env().mock.createOrganization();
      env().mock.faults.add({ operation: '*', organization, effect: { status: 503 } });
      expect((await call('/api/usage')).status).toBe(200);
      expect((await call('/api/usage', { key })).status).toBe(503);
    });
  });
}
