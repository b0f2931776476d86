import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { typeEntries } from '../../scripts/entries.ts';
import { root } from '../support/sources.ts';
import { createProgram, faultsOf } from './compiler.ts';
import { type Application, copyApplication } from './installed.ts';

let application: Application;

beforeAll(() => {
  application = copyApplication(inject('installation'));
  application.link('vitest', '@types/node', 'undici-types');
  // Stand-ins with the declarations that these packages have.
  for (const name of ['@types/jest', 'expect']) {
    mkdirSync(join(application.folder, 'node_modules', name), { recursive: true });
  }
  application.write(
    'node_modules/@types/jest/index.d.ts',
    `declare namespace jest { interface Matchers<R, T = {}> { toBe(expected: unknown): R } }
    declare const expect: <T>(actual: T) => jest.Matchers<void, T> & { not: jest.Matchers<void, T> };`,
  );
  application.write('node_modules/expect/package.json', '{ "main": "index.js" }');
  application.write(
    'node_modules/expect/index.d.ts',
    `export declare interface Matchers<R extends void | Promise<void>, T = unknown> { toBe(expected: unknown): R }
    export declare const expect: <T>(actual: T) => Matchers<void, T>;`,
  );
});
afterAll(() => application?.remove());

const claims = `
const promise: Promise<void> = expect({}).toSurviveSimulation();
expect(new Error()).toTakeFault('loseAnswer');
// @ts-expect-error the name of a fault is a text
expect(new Error()).toTakeFault(1);
// @ts-expect-error no matcher has this name
expect({}).toSurviveSimulations();
void promise;
`;

describe('the matchers are known to the compiler', () => {
  test('in Vitest', () => {
    const imports = "import 'contentgen/simulate/vitest';\nimport { expect } from 'vitest';";
    expect(compile(imports + claims)).toBe('');
  });

  test('in Jest, with the global expect', () => {
    expect(compile(`import 'contentgen/simulate/jest';${claims}`, ['jest'])).toBe('');
  });

  test('in Jest, with the expect of @jest/globals', () => {
    const imports = "import 'contentgen/simulate/jest-globals';\nimport { expect } from 'expect';";
    expect(compile(imports + claims)).toBe('');
  });

  test('through types in tsconfig.json, and only if they are named', () => {
    const use = `import { expect } from 'vitest';${claims}`;
    expect(compile(use, ['contentgen/simulate/vitest'])).toBe('');
    expect(compile(use)).toContain("Property 'toSurviveSimulation' does not exist");
  });
});

test('their declarations compile where no test runner is installed', () => {
  const names = Object.keys(typeEntries).filter((subpath) => !subpath.endsWith('globals'));
  const imports = names.map((subpath) => `import 'contentgen/${subpath.slice(2)}';`).join('\n');
  expect(compile(imports, [], false)).toBe('');
});

describe('without the peers', () => {
  const program = (options: string) => `
    import { simulate, sqlDisk } from 'contentgen/simulate';
    const run = () => {};
    const receive = () => () => new Response();
    await simulate({ seeds: 3, run, receive, ${options} }).catch(({ name, message, timeline }) =>
      console.log(JSON.stringify({ name, message, timeline })),
    );
    process.exit();`;

  test.each([
    ['app: ({ disk }) => sqlDisk(disk)', 'sqlDisk', '@electric-sql/pglite'],
    ['app: () => ({}), globals: true', 'globals: true', '@sinonjs/fake-timers'],
  ])('%s is one error that says what to install', (options, what, peer) => {
    application.write('without.mjs', program(options));
    const printed = JSON.parse(application.run(process.execPath, 'without.mjs'));
    const message = `${what} needs ${peer}. Install it: npm install --save-dev ${peer}.`;
    expect(printed).toEqual({ name: 'TypeError', message });
  });
});

const shop = (callback: string) => `
  import { createWebhookHandler } from 'contentgen/webhooks';
  export function shop({ client, secret, clock, disk, random, url }) {
    const db = disk.open('shop');
    const send = (store, id) => store.set('email/' + id + '/' + random.uuid(), true);
    const on = { generation_completed: ({ payload: { requestId } }) => ${callback} };
    return {
      webhooks: createWebhookHandler({ secret, now: clock.now, on }),
      order: (prompt) => client.content.start({ prompt, webhookUrl: url }),
    };
  }`;
const unlessDone = (store: string, work: string) =>
  `{ if (await ${store}.get('done/' + requestId)) return; ${work} }`;

test.each([
  [
    'right',
    `db.transaction(async (tx) => ${unlessDone('tx', "await tx.set('done/' + requestId, true); await send(tx, requestId);")})`,
    0,
  ],
  ['one that only remembers in memory', 'send(db, requestId)', 1],
  [
    'one that marks after the effect',
    `(async () => ${unlessDone('db', "await send(db, requestId); await db.set('done/' + requestId, true);")})()`,
    1,
  ],
  [
    'one that marks before the effect',
    `(async () => ${unlessDone('db', "await db.set('done/' + requestId, true); await send(db, requestId);")})()`,
    1,
  ],
])(
  'an agent that has read the page writes a simulation that catches a receiver: %s',
  (_name, callback, status) => {
    application.write('app.mjs', shop(callback));
    const solution = join(root, 'test/package/skill', '11-simulate', 'solution.mjs');
    application.write('11-simulate.mjs', readFileSync(solution, 'utf8'));
    const { folder: cwd } = application;
    const ran = spawnSync(process.execPath, ['--test', '11-simulate.mjs'], {
      cwd,
      encoding: 'utf8',
    });
    expect(ran.status).toBe(status);
    if (status === 1) expect(ran.stdout).toMatch(/SimulationError|Seed \d+ fails/);
  },
);

/** The faults in a program of an application with TypeScript 5. */
function compile(text: string, types: readonly string[] = [], skipLibCheck = true): string {
  application.write('matchers.mts', `${text}\nexport {};\n`);
  const program = createProgram(application.folder, ['matchers.mts'], {
    ...{ target: 'ES2022', lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'] },
    ...{ module: 'NodeNext', strict: true, types: ['node', ...types], skipLibCheck },
  });
  return faultsOf(program)
    .map(({ file, message }) => `${file}: ${message}`)
    .join('\n');
}
