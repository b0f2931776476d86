import { expect } from 'vitest';
import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
} from '../../../../mock-server/index.ts';
import { contractFetch } from '../../../support/contract.ts';

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of `body`. */
  readonly raw?: BodyInit;
}

/** A server on the manual clock, and calls whose responses are checked against the contract. */
export interface ContractServer {
  readonly mock: MockServer;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Response>;
  /** Expects a 2xx response and parses it. */
  ok<T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<T>;
}

export function contractServer(options: MockServerOptions = {}): ContractServer {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const fetch = contractFetch(mock);

  const call: ContractServer['call'] = (
    method,
    path,
    body,
    { key = mock.adminKey, headers, raw } = {},
  ) =>
    fetch(mock.baseUrl + path, {
      method,
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined && { body: raw }),
      ...(raw === undefined && body !== undefined && { body: JSON.stringify(body) }),
    });

  return {
    mock,
    call,
    async ok(method, path, body, callOptions) {
      const response = await call(method, path, body, callOptions);
      const text = await response.text();
      expect(response.status, text).toBeLessThan(300);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

export async function problemOf(
  response: Response,
): Promise<{ code: string } & Record<string, unknown>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return response.json();
}
