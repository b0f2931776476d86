import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFile } from '../stores/temporary-file.ts';
import { invoke } from './invoke.ts';

async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await invoke(['completion', shell]);
  expect(code).toBe(0);
  return out;
}

describe('bash completes', async () => {
  const script = await scriptFor('bash');

  test.each<[string, string[], string[]]>([
    ['commands', ['m'], ['mock']],
    ['options', ['mock', '--strict'], ['--strict-https']],
    ['the values of an option', ['mock', '--log', ''], ['text', 'json', 'none']],
    ['nothing for a free-form value', ['mock', '--port', ''], []],
    ['operands', ['trigger', 'inv'], ['invoice_paid', 'invoice_payment_failed']],
    ['operands after options', ['trigger', '--json', 'data'], ['data_updated']],
    ['actions', ['keys', 're'], ['revoke', 'regenerate']],
    ['events', ['listen', '--event', 'usage'], ['usage_threshold']],
    ['files', ['mock', '--data', 'package.j'], ['package.json']],
  ])('%s', (_, words, expected) => {
    const typed = ['contentgen', ...words].map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _contentgen`;
    const print = `printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', `${script}\n${ask}\n${print}`]);
    expect(String(out).split('\n').filter(Boolean)).toEqual(expected);
  });
});

test.each(['zsh', 'fish'])('the %s script names every option of a command', async (shell) => {
  const script = await scriptFor(shell);
  const { out } = await invoke(['mock', '--help']);
  for (const [, option = ''] of out.matchAll(/^ {2}--([a-z-]+)/gm)) {
    expect(script).toMatch(new RegExp(`(?:--|-l )${option}\\b`));
  }
});

test.each(['bash', 'zsh', 'fish'])('%s accepts the script', async (shell) => {
  // From a file: fish cannot read the socket that Node gives a child as standard input.
  const { error, status, stderr } = spawnSync(shell, ['-n', await savedScript(shell)]);
  // Skipped on a machine without that shell.
  if (error === undefined)
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});

test.each<[string, string[]]>([
  ['contentgen m', ['mock']],
  ['contentgen mock --strict', ['--strict-https']],
  ['contentgen mock --log ', ['json', 'none', 'text']],
  ['contentgen trigger inv', ['invoice_paid', 'invoice_payment_failed']],
  ['contentgen keys re', ['regenerate', 'revoke']],
])('fish completes %s', async (typed, expected) => {
  const ask = `source ${await savedScript('fish')}; complete -C '${typed}'`;
  const { error, stdout } = spawnSync('fish', ['--no-config', '-c', ask]);
  if (error !== undefined) return;
  const lines = String(stdout).trim().split('\n');
  expect(lines.map((line) => line.split('\t', 1)[0])).toEqual(expected);
});

async function savedScript(shell: string): Promise<string> {
  const file = temporaryFile('completion');
  writeFileSync(file, await scriptFor(shell));
  return file;
}
