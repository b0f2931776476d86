import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { firstLine } from '../support/first-line.ts';
import { freePort } from '../support/free-port.ts';
import { locate, needs } from '../support/needs.ts';
import { files, root } from '../support/sources.ts';
import { type Application, copyApplication } from './installed.ts';
import { startPackedServer } from './packed-server.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const folders = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** The first code block of an example's README, line by line. */
const commandsOf = (name: string) =>
  (/```sh\n([\s\S]*?)```/.exec(read(`examples/${name}/README.md`))?.[1] ?? '').trim().split('\n');

test("story: its commands install and run this repository's sources", () => {
  const { scripts } = JSON.parse(read('examples/story/package.json')) as Manifest;
  expect(commandsOf('story')[0]).toBe('npm ci --prefix ../..');
  expect(commandsOf('story')[1]).toMatch(/^npm start\b/);
  const { status, stdout, stderr } = spawnSync('npm', ['start', '--silent', '--', '--once'], {
    cwd: join(root, 'examples/story'),
    encoding: 'utf8',
  });
  expect(scripts).toEqual({ start: 'node index.ts' });
  expect({ status, stderr: status ? stderr + stdout : '' }).toEqual({ status: 0, stderr: '' });
});

const independent = folders.filter((name) => !['story', 'python'].includes(name));

test.each(independent)('the package.json of examples/%s lists what its files import', (name) => {
  const { dependencies, devDependencies = {} } = JSON.parse(
    read(`examples/${name}/package.json`),
  ) as Manifest;
  const imported = files(`examples/${name}/**/*.{ts,tsx}`).flatMap((path) =>
    [...read(path).matchAll(/(?:from|import) '(@[^/']+\/[^/']+|[^./'@][^/']*)/g)].map(
      ([, found = '']) => found,
    ),
  );
  const listed = { ...dependencies, ...devDependencies };
  const missing = imported.filter((one) => !one.startsWith('node:') && !Object.hasOwn(listed, one));
  expect([...new Set(missing)]).toEqual([]);
});

describe('with the tarball, outside the repository', () => {
  let application: Application;
  let service: ChildProcess;

  beforeAll(async () => {
    application = copyApplication(inject('installation'));
    application.link(
      'express',
      'esbuild',
      'react',
      'react-dom',
      'msw',
      'vite',
      'openapi-react-query',
      'typescript',
    );
    application.link('@tanstack/react-query', '@types/react');
    ({ child: service } = await startPackedServer(application, ['--write-env', '.env']));
  });

  afterAll(() => {
    service?.kill();
    application?.remove();
  });

  test.each([
    ['quickstart', 'start', [], /tokens[\s\S]*invalid: \/prompt/],
    ['generate-and-wait', 'start', ['--', 'A story'], /^processing gen_\w+\n.{20,}/],
    ['lambda', 'start', [], /signed: 200\nforged: 400/],
    ['lambda', 'build', [], /handler\.mjs/],
    ['react', 'build', [], /built in/],
    ['react-query', 'test', [], /^$/],
  ])('%s: npm run %s', (name, script, args, expected) => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script, ...args], {
      cwd: place(name),
      encoding: 'utf8',
      env: plainEnvironment(),
    });
    expect({ status, stderr: status ? stderr + stdout : '' }).toEqual({ status: 0, stderr: '' });
    // Some tools write their progress to standard error.
    expect(stdout || stderr).toMatch(expected);
  });

  test('simulation: npm start finds the bug, and exits with 1', () => {
    const { status, stdout, stderr } = spawnSync('npm', ['start', '--silent'], {
      cwd: place('simulation'),
      encoding: 'utf8',
      env: plainEnvironment(),
    });
    expect(status, stderr).toBe(1);
    expect(stdout + stderr).toMatch(/To run only this seed, set SIMULATE_SEED=\d+/);
  });

  test.runIf(needs('chromium'))('playwright: npm test, two workers with a mock each', async () => {
    const port = await freePort();
    application.link('playwright', 'playwright-core');
    // As npm publishes it.
    const shim = 'node_modules/@playwright/test';
    mkdirSync(join(application.folder, shim), { recursive: true });
    application.write(`${shim}/package.json`, '{ "name": "@playwright/test", "type": "module" }');
    application.write(`${shim}/index.js`, "export * from 'playwright/test';\n");
    const folder = place('playwright');
    const { status, stdout, stderr } = spawnSync('npm', ['test', '--silent'], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...plainEnvironment(),
        CHROMIUM_PATH: locate('chromium'),
        APP_PORT: `${port}`,
      },
    });
    expect({ status, stderr: status ? stderr + stdout : '' }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('5 passed');
    expect(existsSync(join(folder, 'test-results'))).toBe(true);
  });

  test('express: npm start, and the audit in its README finds nothing wrong', async () => {
    const folder = place('express');
    const server = spawn('npm', ['run', '--silent', 'start'], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: plainEnvironment(),
    });
    onTestFinished(() => void process.kill(-(server.pid as number)));
    expect(await firstLine(server)).toBe('http://localhost:3000/webhooks');
    const command = join(application.folder, 'node_modules/.bin/contentgen');
    const output = execFileSync(
      process.execPath,
      [command, 'audit', 'http://localhost:3000/webhooks', '--env-file', '.env'],
      { cwd: folder, encoding: 'utf8', stdio: 'pipe', env: plainEnvironment() },
    );
    expect(output).toContain('0 failed');
  });

  /** A copy next to `node_modules`, as if `npm install` had run in it. */
  function place(name: string): string {
    const folder = join(application.folder, name);
    cpSync(join(root, 'examples', name), folder, { recursive: true });
    cpSync(join(application.folder, '.env'), join(folder, '.env'));
    return folder;
  }

  /** With the pinned Node first, which runs TypeScript. */
  function plainEnvironment(): NodeJS.ProcessEnv {
    const { HOME, PATH } = process.env;
    return {
      HOME,
      PATH: `${join(root, 'node_modules/node/bin')}:${join(root, 'node_modules/.bin')}:${PATH}`,
    };
  }
});
