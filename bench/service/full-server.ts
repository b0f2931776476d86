import { createMockServer, type MockServer } from '../../mock-server/index.ts';

const START = Date.UTC(2026, 0, 1);

/** A server with the given number of generations and keys in its first project, with ids spread over a month. */
export function fullServer(generations: number, keys: number): MockServer {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const { organization, project } = mock;
  const saved = mock.snapshot();
  const id = (prefix: string, number: number) =>
    `${prefix}_01kd${String(number).padStart(22, '0')}`;
  mock.restore({
    ...saved,
    state: {
      ...saved.state,
      generations: Array.from({ length: generations }, (_, number) => ({
        id: id('gen', number),
        organization,
        project,
        status: number % 10 === 0 ? 'failed' : 'completed',
        delivery: 'response',
        model: 'content-1',
        prompt: 'A haiku about TCP',
        maxTokens: 512,
        result: 'Small letters travel',
        usage: { totalTokens: 10, promptTokens: 5, completionTokens: 5 },
        createdAt: START + number,
        completedAt: START + number,
      })),
      apiKeys: [
        ...(saved.state.apiKeys ?? []),
        ...Array.from({ length: keys }, (_, number) => ({
          id: id('key', number),
          organization,
          project,
          name: 'filler',
          role: 'member' as const,
          hash: String(number).padStart(64, '0'),
          hint: 'cg_test_…0000',
          createdAt: START,
          createdBy: 'system',
        })),
      ],
    },
  });
  return mock;
}

/** Calls one server and reads the complete response. */
export function caller(mock: MockServer) {
  const headers = { 'x-api-key': mock.memberKey, 'content-type': 'application/json' };
  return async (method: string, path: string, body?: string): Promise<string> => {
    const response = await mock.fetch(mock.baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return text;
  };
}
