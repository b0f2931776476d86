import { readFileSync } from 'node:fs';
import type { Command } from './command.ts';
import type { Flag } from './flags.ts';
import { envFileFlag } from './parse-command-line.ts';

const WIDTH = 24;

export function helpOf(name: string, command: Command): string {
  const usage = command.usage ?? [defaultUsage(command)];
  const hasVariables = Object.values(command.flags).some(({ env }) => env !== undefined);
  const all = { ...command.flags, ...(hasVariables && envFileFlag) };
  const flags = Object.entries(all).map(([flag, row]) => flagLine(flag, row));
  return [
    command.description,
    '',
    'Usage',
    ...usage.map((line) => `  contentgen ${name} ${line}`),
    ...(command.note === undefined ? [] : ['', `  ${command.note}`]),
    ...(flags.length === 0 ? [] : ['', 'Options', ...flags]),
    '',
    command.examples.length === 1 ? 'Example' : 'Examples',
    ...command.examples.map((example) => `  ${example}`),
  ].join('\n');
}

function defaultUsage({ operands, flags }: Command): string {
  const required = Object.entries(flags).flatMap(([name, flag]) =>
    flag.required && flag.env === undefined ? [labelOf(name, flag)] : [],
  );
  const options = Object.keys(flags).length === 0 ? [] : ['[options]'];
  return [...(operands ? [operands.name] : []), ...required, ...options].join(' ');
}

function labelOf(name: string, { argument }: Flag<unknown>): string {
  return argument === undefined ? `--${name}` : `--${name} ${argument}`;
}

function flagLine(name: string, flag: Flag<unknown>): string {
  const { sentence, env, shownDefault } = flag;
  const label = labelOf(name, flag);
  const facts = [
    sentence,
    env === undefined ? '' : ` (or ${env})`,
    shownDefault === undefined ? '' : `  [${shownDefault}]`,
  ];
  const start = label.length < WIDTH ? label.padEnd(WIDTH) : `${label}\n  ${' '.repeat(WIDTH)}`;
  return `  ${start}${facts.join('')}`;
}

export function overview(commands: Readonly<Record<string, { readonly summary: string }>>): string {
  const rows = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`,
  );
  return `contentgen: the reference server of the ContentGen API, and tools for integrating with it

Usage
  contentgen <command> [options]

Commands
${rows.join('\n')}

Options
  --help, -h       Show help; also for a command: contentgen mock --help
  --version, -v    Show the version

Examples
  contentgen mock
  contentgen trigger usage_threshold
  contentgen audit http://localhost:3000/webhooks`;
}

/** The manifest is two folders up, in the sources and in the built package. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
