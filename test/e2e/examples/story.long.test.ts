import { afterEach, expect, test } from 'vitest';
import { narrator } from '../../../examples/story/narrator.ts';
import { playStory } from '../../../examples/story/play.ts';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test('the story waits for its callback when a poll reports the result first', async () => {
  const mock = createMockServer();
  mock.faults.add({ delivery: 'generation_completed', times: 1, effect: { delay: 1500 } });
  const server = await serve(mock, { port: 0 });
  closing.push(() => server.close());
  const lines: string[] = [];

  await playStory({
    mock,
    url: server.url,
    narrator: narrator({ write: (line: string) => lines.push(line) }),
  });

  const text = lines.join('');
  expect(text).toContain('POST /callbacks');
  expect(text).toContain('rejected with 400 signature_mismatch');
  expect(text).toContain('Done: 3 generations');
  // Counted by hand: the forged copy is the story's own, so the mock does not know it.
  expect(mock.coverage().filter(({ met }) => met > 0)).toEqual([
    { name: 'delivery late', met: 1 },
    { name: 'usage threshold', met: 1 },
  ]);
});
