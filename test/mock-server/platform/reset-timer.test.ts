import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const script = `
  import { createMockServer } from './mock-server/index.ts';
  const mock = createMockServer({ onError() {} });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  mock.trigger('generation_completed', { webhookUrl: 'https://app.example/callbacks' });
  const armed = timers();
  mock.reset();
  console.log(JSON.stringify([armed > 0, timers()]));
`;

test('a reset disarms the timer, so that the process can end', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: new URL('../../..', import.meta.url),
  });
  expect(JSON.parse(output)).toEqual([true, 0]);
});
