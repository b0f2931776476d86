import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { describe, expect, test, vi } from 'vitest';

const prompt = 'A haiku about TCP';

describe('the client in a browser', () => {
  test('rejects an API key and accepts a token', async () => {
    const mock = createMockServer({ clock: 'manual', seed: 1 });
    const { baseUrl, fetch, adminKey: apiKey } = mock;
    const service = 'https://api.example.com';
    expect(() => new ContentGen({ baseUrl: service, apiKey, fetch })).toThrow(
      'dangerouslyAllowBrowser',
    );
    const token = await mock.issueToken({ role: 'member' });
    const client = new ContentGen({ baseUrl, accessToken: token, fetch });
    expect((await client.content.generate({ prompt })).usage.totalTokens).toBeGreaterThan(0);
  });

  test.each([false, true])(
    "shows an error in the page within one tick of clientOptions' retries (fake timers: %s)",
    async (isFaked) => {
      if (isFaked) vi.useFakeTimers();
      const mock = createMockServer({ seed: 1 });
      mock.faults.add({ operation: 'generateContent', effect: { status: 503 } });
      const alert = document.body.appendChild(document.createElement('p'));
      const call = new ContentGen(mock.clientOptions).content.generate({ prompt });
      void call.catch(({ code }) => alert.append(code));
      if (isFaked) await vi.advanceTimersByTimeAsync(0);
      else await new Promise((resolve) => setTimeout(resolve));
      expect(alert.textContent).toBe('unavailable');
      vi.useRealTimers();
    },
  );

  test('sends a Request through middleware and does not follow redirects', async () => {
    const seen: string[] = [];
    const client = new ContentGen({
      baseUrl: location.origin,
      accessToken: 'token',
      maxRetries: 0,
      middleware: [
        async (request, next) => {
          seen.push(request.headers.get('authorization') ?? '', request.redirect);
          return next(request);
        },
      ],
    });
    // The test server serves an HTML page here: not JSON, but still a typed error.
    await expect(client.usage.get()).rejects.toMatchObject({ operation: 'getUsage' });
    expect(seen).toEqual(['Bearer token', 'manual']);
  });
});
