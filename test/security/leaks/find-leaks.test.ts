import { expect, test } from 'vitest';
import { findLeaks } from './find-leaks.ts';
import { spell } from './spell.ts';

const canaries = {
  'a key': 'cg_live_Zz9+yXw8/vUt7SrQ6pOn5MlK4',
  'a prompt': 'Nine copper lanterns for the velvet otter',
};
const noise = JSON.stringify({
  id: 'gen_01hzy3v5k8m2n4p6q8r0s2t4v6',
  signature: `v1,${Buffer.alloc(32, 9).toString('base64')}`,
  hash: Buffer.alloc(32, 7).toString('hex'),
});

test.each(Object.entries(spell))('a leak is found that is spelled %s', (_, spelled) => {
  for (const [name, canary] of Object.entries(canaries)) {
    const output = `${noise}\n{"detail":"You sent ${spelled(canary)}!"}\n${noise}`;
    expect(findLeaks({ stderr: output }, canaries)).toEqual([
      expect.stringContaining(`stderr: ${name} (`),
    ]);
  }
});

test.each([
  ['over lines', ['cg_live_Zz9+yX\n', '  w8/vUt7SrQ\n', '  6pOn5MlK4']],
  ['over pieces', ['cg_live_Zz9+yX', 'w8/vUt7SrQ', '6pOn5MlK4']],
  ['over events', ['data: cg_live_Zz9+yX\n\n', 'id: 7\ndata: w8/vUt7SrQ6pOn5MlK4\n\n']],
  ['and encoded again', [btoa(JSON.stringify({ key: spell['base64']?.(canaries['a key']) }))]],
])('a leak is found that is split %s', (_, pieces) => {
  expect(findLeaks({ page: pieces }, canaries)).toEqual([expect.stringContaining('page: a key (')]);
});

test('six leaks in six outputs are six findings, and what is no leak is none', () => {
  const [key, prompt] = [canaries['a key'], canaries['a prompt']];
  const planted = {
    'error.message': `Failed: ${key.slice(4, 22)}…`,
    'a trace': spell['escaped whole']?.(key) ?? '',
    'a log line': spell['for a URL, whole']?.(key) ?? '',
    'a data file': `\u0000\u0001${prompt}\u0000`,
    'a header': spell['base64url']?.(prompt) ?? '',
    'a dump': spell['hex']?.(prompt) ?? '',
    'what is right': `${noise} cg_live_Zz9… Nine copper lamps`,
  };
  expect(findLeaks(planted, canaries)).toEqual([
    'a data file: a prompt (plain)',
    'a dump: a prompt (hex)',
    'a header: a prompt (base64)',
    'a log line: a key (url)',
    'a trace: a key (json)',
    'error.message: a key (plain)',
  ]);
});
