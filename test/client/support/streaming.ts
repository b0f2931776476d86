import type { ClientOptions } from 'contentgen';
import * as contentgen from 'contentgen';
import { createMockServer, type MockServerOptions } from 'contentgen/mock';
import { generator } from './generated-text.ts';

export { begun, ended, generator, pieces, read, whole } from './generated-text.ts';

const { ContentGen } = contentgen;
export type Fetch = typeof globalThis.fetch;

export function setUp(options: ClientOptions = {}, serverOptions: MockServerOptions = {}) {
  const mock = createMockServer({ generator, ...serverOptions });
  const retries: string[] = [];
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
    logLevel: 'off',
    onRetry: ({ code }) => void retries.push(code),
    ...options,
  });
  return { mock, client, retries };
}
