import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { mock } from '../../../mock-server/cli/commands/mock.ts';
import { startMock } from './command.ts';

const rootFile = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const page = readFileSync(rootFile('docs/standalone.md'), 'utf8');

/** The text under a heading, up to the next heading of any level. */
function section(heading: string): string {
  const start = page.indexOf(`\n${heading}\n`);
  expect(start, `docs/standalone.md has no ${heading}`).toBeGreaterThanOrEqual(0);
  return page.slice(start + 1).split(/\n(?=#+ )/)[0] ?? '';
}

const quiet: { encoding: 'utf8'; stdio: 'pipe' } = { encoding: 'utf8', stdio: 'pipe' };

test('the page documents exactly the options of contentgen mock', () => {
  const documented = (text: string) => new Set(text.match(/--[a-z]+(?:-[a-z]+)*/g));
  const table = section('## Options');
  const options = Object.keys(mock.flags).map((name) => `--${name}`);
  expect([...documented(table)].sort()).toEqual(options.sort());
});

describe('the section on the control API', () => {
  const examples = section('## The control API');
  const codeOf = (language: string) =>
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(examples)?.[1] ?? '';
  const address = 'http://127.0.0.1:4010';

  test('has curl commands and Python that the server accepts', async () => {
    const { url } = (await startMock(['--log', 'none'])).mock;
    const script = codeOf('sh').replaceAll(address, url);
    const commands = script.replaceAll('\\\n', ' ').trim().split('\n');
    for (const command of commands) {
      expect(JSON.parse(execFileSync('sh', ['-c', command], quiet))).toHaveProperty('result');
    }
    expect(commands).toHaveLength(3);
    execFileSync('python3', ['-c', codeOf('python').replace(address, url)], quiet);
  });
});
