import { createMockServer, type MockServerOptions } from 'contentgen/mock';
import { type ClientOptions, contentgen } from './entry.ts';
import { inBrowsers } from './in-browsers.ts';

const { ContentGen } = contentgen;
export const pieces = ['Packets ', 'cross ', 'the ', '🌊 ', 'sea\n', 'by night.'];
/** The text that the model of `setUp` generates, one piece in each turn. */
export const whole = pieces.join('');
export const generator = async function* () {
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    yield piece;
  }
};

export type Fetch = typeof globalThis.fetch;

export function setUp(options: ClientOptions = {}, serverOptions: MockServerOptions = {}) {
  const mock = createMockServer({ generator, ...serverOptions });
  const retries: string[] = [];
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
    logLevel: 'off',
    pacing: false,
    ...inBrowsers,
    onRetry: ({ code }) => void retries.push(code),
    ...options,
  });
  return { mock, client, retries };
}

export async function read(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
}

/** How many generations have been completed, and so billed. */
export const ended = (mock: ReturnType<typeof setUp>['mock']) =>
  mock.events().filter(({ type }) => type === 'generation.completed').length;
