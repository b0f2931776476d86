import { handleAbortably } from './api/handle-abortably.ts';
import type { MockServer } from './mock-server.ts';

/** `handle` with the interface of `fetch`: without a response it rejects, as a network would. */
export function createFetch(
  handle: MockServer['handle'],
  isClosed: () => boolean,
): MockServer['fetch'] {
  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const response = await handleAbortably(request, handle);
    if (response.type === 'error') throw fetchError(isClosed());
    return response;
  };
}

function fetchError(closed: boolean): TypeError {
  if (!closed) return new TypeError('Failed to fetch: a fault dropped the connection.');
  const error = new TypeError('Failed to fetch: the mock server was closed.');
  return Object.assign(error, { code: 'mock_closed' });
}
