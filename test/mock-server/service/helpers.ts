import type { MockServer } from '../../../mock-server/index.ts';
import { type Bench, bench } from './operations/bench.ts';

export { type Bench, bench, problemOf } from './operations/bench.ts';

export const GENERATE = '/api/ai/content/generate';

/** Code of the problem that a call is answered with, and its status. */
export async function refusal(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

/** The JSON that a receiver function got, in order. */
export function inbox({ mock }: Bench, url: string): { event?: string; [key: string]: unknown }[] {
  const received: { event?: string }[] = [];
  mock.receivers.set(url, async (request) => {
    received.push(await request.json());
    return new Response();
  });
  return received;
}

/** A server with a registration, and what arrives there. */
export async function listening(event: string, options: Parameters<typeof bench>[0] = {}) {
  const on = bench(options);
  const url = 'https://app.example/hooks';
  const received = inbox(on, url);
  const hook = await on.ok<{ id: string; secret: string }>('POST', '/api/webhooks', { event, url });
  return { ...on, received, hook };
}

/** Settles when the next generation has begun: call it before asking for one. */
export function begun(mock: Pick<MockServer, 'onEvent'>): Promise<void> {
  return new Promise((resolve) => {
    const stop = mock.onEvent(({ type }) => {
      if (type !== 'generation.accepted') return;
      stop();
      resolve();
    });
  });
}
