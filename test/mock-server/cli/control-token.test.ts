import { describe, expect, test } from 'vitest';
import { served } from '../control-api/served.ts';
import { invoke } from './invoke.ts';

const TOKEN = 'a-token-of-the-team';

const guarded = () => served({ controlToken: TOKEN });

describe('commands with --control-token', () => {
  test.each([
    ['keys', 'create', '--name', 'ci'],
    ['trigger', 'data_updated'],
  ])('%s uses it, from a flag or the environment', async (...args) => {
    const { url } = await guarded();
    const at = [...args, '--url', url];
    expect(await invoke([...at, '--control-token', TOKEN])).toMatchObject({ code: 0, err: '' });
    const env = { CONTENTGEN_BASE_URL: url, CONTENTGEN_CONTROL_TOKEN: TOKEN };
    expect(await invoke(args, env)).toMatchObject({ code: 0 });
    const without = await invoke(at);
    expect([without.code, without.err]).toEqual([
      1,
      expect.stringMatching(/requires a control token\. Pass it with --control-token/),
    ]);
    const wrong = await invoke([...at, '--control-token', `${TOKEN}x`]);
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringMatching(/does not accept this control token/),
    ]);
    expect(wrong.err).not.toContain(TOKEN);
  });

  test('doctor checks the token, and compares the secret without a key', async () => {
    const { mock, url } = await guarded();
    const doctor = async (...args: string[]) => {
      const { out, code } = await invoke(['doctor', '--url', url, '--json', ...args]);
      const { findings } = JSON.parse(out) as {
        findings: { check: string; verdict: string; detail: string }[];
      };
      return { code, of: (name: string) => findings.find(({ check }) => check === name) };
    };
    const right = await doctor('--control-token', TOKEN, '--secret', mock.signingSecret);
    expect(right.of('control')?.verdict).toBe('ok');
    expect(right.of('secret')?.detail).toBe("It is the project's signing secret");
    const other = await doctor('--control-token', TOKEN, '--secret', `whsec_${'B'.repeat(32)}`);
    expect(other.of('secret')?.verdict).toBe('wrong');
    const rejected = await doctor('--control-token', `${TOKEN}x`);
    expect([rejected.code, rejected.of('control')?.verdict]).toEqual([1, 'wrong']);
  });
});
