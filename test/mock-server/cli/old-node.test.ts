import { expect, test } from 'vitest';
import { command } from './command.ts';

/** Runs the command under a Node that reports another version. */
function under(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
  return command(['--version'], { NODE_OPTIONS });
}

test.each(['18.20.8', '20.18.3'])('Node %s gets one line that says what to do', async (version) => {
  expect(await under(version)).toEqual({
    code: 2,
    stdout: '',
    stderr: `contentgen: This needs Node 20.19 or later, not ${version}. Update Node.\n`,
  });
});

test.each(['20.19.0', '22.0.0'])('Node %s is accepted', async (version) => {
  expect(await under(version)).toMatchObject({ code: 0, stderr: '' });
});
