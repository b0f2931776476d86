import { expect, test } from 'vitest';
import { command } from './command.ts';

/** Runs the command under a Node that reports another version. */
function under(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
  return command(['--version'], { NODE_OPTIONS });
}

test('an older Node gets one line that says what to do', async () => {
  const version = '20.18.3';
  expect(await under(version)).toEqual({
    code: 2,
    stdout: '',
    stderr: `contentgen: This needs Node 20.19 or later, not ${version}. Update Node.\n`,
  });
});

test('Node 20.19 is accepted', async () => {
  expect(await under('20.19.0')).toMatchObject({ code: 0, stderr: '' });
});
