import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { root } from '../support/sources.ts';
import { type Application, copyApplication } from './installed.ts';

let application: Application;

beforeAll(() => {
  application = copyApplication(inject('installation'));
});
afterAll(() => application?.remove());

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
    ['app: ({ disk }) => sqlDisk(disk)', 'sqlDisk', '@electric-sql/pglite 0.4 or later'],
    ['app: () => ({}), globals: true', 'globals: true', '@sinonjs/fake-timers'],
  ])('%s is one error that says what to install', (options, what, peer) => {
    application.write('without.mjs', program(options));
    const printed = JSON.parse(application.run(process.execPath, 'without.mjs'));
    const [name] = peer.split(' ');
    const message = `${what} needs ${peer}. Install it: npm install --save-dev ${name}@latest.`;
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
    const solution = join(root, 'test/package/skill', '07-simulate', 'solution.mjs');
    application.write('07-simulate.mjs', readFileSync(solution, 'utf8'));
    const { folder: cwd } = application;
    const ran = spawnSync(process.execPath, ['--test', '07-simulate.mjs'], {
      cwd,
      encoding: 'utf8',
    });
    expect(ran.status).toBe(status);
    if (status === 1) expect(ran.stdout).toMatch(/SimulationError|Seed \d+ fails/);
  },
);
