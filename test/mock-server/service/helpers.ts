import { internalsOf } from '../../../mock-server/composition/internals.ts';
import type { MockServer } from '../../../mock-server/index.ts';
import { type ContractServer, contractServer } from './operations/contract-server.ts';

export { type ContractServer, contractServer, problemOf } from './operations/contract-server.ts';

export const GENERATE = '/api/ai/content/generate';

/** Status and problem code of a rejected call. */
export async function rejection(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

/** The JSON bodies that a receiver function got, in order. */
export function inbox(
  { mock }: ContractServer,
  url: string,
): { event?: string; [key: string]: unknown }[] {
  const received: { event?: string }[] = [];
  mock.receivers.set(url, async (request) => {
    received.push(await request.json());
    return new Response();
  });
  return received;
}

/** A server with a registration, and the bodies that arrive there. */
export async function listening(event: string, options: Parameters<typeof contractServer>[0] = {}) {
  const on = contractServer(options);
  const url = 'https://app.example/hooks';
  const received = inbox(on, url);
  const hook = await on.ok<{ id: string; secret: string }>('POST', '/api/webhooks', { event, url });
  return { ...on, received, hook };
}

/** Resolves when the next generation is accepted. Call it before the request. */
export function begun(mock: MockServer): Promise<void> {
  return new Promise((resolve) => {
    const stop = internalsOf(mock).onEvent(({ type }) => {
      if (type !== 'generation.accepted') return;
      stop();
      resolve();
    });
  });
}

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Generates as a member, and leaves the response unread. */
export const generate = (
  mock: MockServer,
  body: object,
  { headers, ...init }: Init = {},
): Promise<Response> =>
  mock.fetch(mock.baseUrl + GENERATE, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json', ...headers },
  });

/** Starts a stream as a member, to be read piece by piece. */
export async function openStream(
  mock: MockServer,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await generate(mock, { prompt: 'p', stream: true });
  return (response.body as ReadableStream<Uint8Array>).getReader();
}
