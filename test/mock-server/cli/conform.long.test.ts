import { expect, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { freePort } from '../../support/free-port.ts';
import { start } from './command.ts';
import { served } from './invoke.ts';

test('contentgen mock passes every clause, and nothing is left', async () => {
  const [port, receiver] = [await freePort(), await freePort()];
  const mock = start(['mock', '--port', `${port}`, '--rate-limit', '100/1', '--json']);
  const { url, adminKey, signingSecret } = JSON.parse(await mock.line());
  const running = start([
    ...['conform', '--base-url', url, '--api-key', adminKey, '--secret', signingSecret],
    ...['--receiver-url', `http://127.0.0.1:${receiver}/`, '--allow-writes'],
  ]);
  // The first callback is rejected. Its retry is due in 5 s; here it is made now.
  const control = connectMock(url);
  await expect.poll(() => control.redeliver({ status: 'retrying' }), { timeout: 10_000 }).toBe(1);
  const code = await running.ended;
  const [stdout, stderr] = [running.stdout(), running.stderr()];
  expect(stderr.split('\n')).toEqual([
    'At most 25 requests, at most 1000 tokens, about 20 s, and 2 removals of what it writes.',
    `Receiving callbacks on port ${receiver}, as http://127.0.0.1:${receiver}/.`,
    '',
  ]);
  const others = /^(FAILED|differs|absent|not obs|HARN)/;
  expect(stdout.split('\n').filter((line) => others.test(line))).toEqual([]);
  expect(stdout).toMatch(/^38 passed\. \d+ requests, \d+ tokens\.$/m);
  expect(code).toBe(0);
});

test('a second Ctrl-C ends it at once, and prints what is left', async () => {
  const { mock, url } = await served();
  // The service hangs before it removes the registration.
  mock.faults.add({ operation: 'deleteWebhook', times: 1, effect: { delay: 60_000 } });
  const running = start([
    ...['conform', '--base-url', url, '--api-key', mock.adminKey, '--spend', '0', '--allow-writes'],
  ]);
  await running.line(/registrations\.secret/);
  running.child.kill('SIGINT');
  await expect.poll(() => mock.faults.list()).toEqual([]);
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(130);
  expect(running.stderr()).toMatch(/^Left behind: a registration of \S+ \(wh_\w+\)$/m);
});
