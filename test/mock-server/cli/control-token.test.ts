import { describe, expect, test } from 'vitest';
import { served } from '../control-api/served.ts';
import { invoke } from './invoke.ts';

const TOKEN = 'a-token-of-the-team';

const guarded = () => served({ controlToken: TOKEN });

describe('commands with --control-token', () => {
  test.each([
    ['keys', 'create', '--name', 'ci'],
    ['trigger', 'generation_completed', '--data', '{"webhookUrl":"http://127.0.0.1:9/"}'],
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
});
