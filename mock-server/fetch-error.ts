/** What a mock's `fetch` rejects with when there is no response. */
export function fetchError(closed: boolean): TypeError {
  if (!closed) return new TypeError('Failed to fetch: a fault dropped the connection.');
  const error = new TypeError('Failed to fetch: the mock server was closed.');
  return Object.assign(error, { code: 'mock_closed' });
}
