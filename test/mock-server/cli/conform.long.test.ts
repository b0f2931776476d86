import { expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { command, start } from './command.ts';

test('contentgen mock passes every clause, and nothing is left', async () => {
  const [port, receiver] = [await freePort(), await freePort()];
  const mock = start(['mock', '--port', `${port}`, '--rate-limit', '100/1', '--json']);
  const { url, adminKey, signingSecret } = JSON.parse(await mock.line());
  const { code, stdout, stderr } = await command([
    ...['conform', '--base-url', url, '--api-key', adminKey, '--secret', signingSecret],
    ...['--receiver-url', `http://127.0.0.1:${receiver}/`, '--allow-writes'],
  ]);
  expect(stderr.split('\n')).toEqual([
    'At most 35 requests, at most 1000 tokens, writes that are removed.',
    `Receiving callbacks on port ${receiver}, as http://127.0.0.1:${receiver}/.`,
    '',
  ]);
  const others = /^(FAILED|differs|absent|not obs|HARN)/;
  expect(stdout.split('\n').filter((line) => others.test(line))).toEqual([]);
  expect(stdout).toMatch(/^38 passed\. \d+ requests, \d+ tokens\.$/m);
  expect(code).toBe(0);
});
