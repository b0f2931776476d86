import { spawnSync } from 'node:child_process';
import { type SimulateOptions, SimulationError, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';

type Context = Parameters<SimulateOptions<unknown>['app']>[0];

const app = ({ client, url }: Context) => ({
  order: () => client.content.start({ prompt: 'a', webhookUrl: url }),
  webhooks: () => new Response('ok'),
});
type App = ReturnType<typeof app>;

const base = {
  seeds: 1,
  chaos: {},
  shrinkMs: 0,
  patience: 20,
  app,
  receive: ({ webhooks }: App) => webhooks,
  run: ({ app }: { app: App }) => app.order(),
} satisfies SimulateOptions<App>;

const run = (options: object) => simulate({ ...base, ...options } as SimulateOptions<App>);

test.each([
  ['seedz', { seedz: 10 }, "Failed to simulate: unknown option seedz. Did you mean 'seeds'?"],
  ['an invariant', { invariants: { effect: true } }, 'unknown option effect'],
  ['invariants', { invariants: 'none' }, 'invariants must be an object, or false'],
  ['receive', { receive: '/webhooks' }, 'receive must be a function'],
  ['chaos', { chaos: 0.1 }, 'chaos must be an object'],
  ['no seed', { seeds: 0 }, 'seeds'],
  ['a fault', { chaos: { crashes: 1 } }, "unknown chaos crashes. Did you mean 'crash'?"],
  [
    "settleFor below the client's time-outs",
    { settleFor: '1 minute' },
    'settleFor must be at least 20 minutes: a call of the client times out after 10',
  ],
])('a wrong option is rejected and named: %s', async (_, options, message) => {
  await expect(run(options)).rejects.toThrow(TypeError);
  await expect(run(options)).rejects.toThrow(message);
});

test('missing options are rejected', async () => {
  await expect(simulate(undefined as never)).rejects.toThrow('simulate needs options');
});

test.each([
  ['app returned undefined', { app: () => undefined }],
  ['receive is missing', { receive: undefined }],
  ['receive returned undefined, not (request) => Response', { receive: () => undefined }],
  ['The receiver returned a string, not a Response', { receive: () => () => 'ok' }],
])('what the simulation cannot use is named: %s', async (message, options) => {
  await expect(run(options)).rejects.toThrow(`Seed 1 fails: ${message}`);
});

test('a write in an ended transaction is rejected, as by a database', async () => {
  const late = async ({ disk }: Context) => {
    let write = async () => {};
    await disk.open('db').transaction(async (tx) => {
      write = () => tx.set('late', 1);
    });
    await write();
  };
  await expect(run({ run: late })).rejects.toThrow(
    'Failed to db.tx.set late: the transaction has ended. Await every call of tx.',
  );
});

test('a secret inside an object in the console is found, and no report repeats it', async () => {
  let secret = '';
  const log = (context: Context) => {
    secret = context.secret;
    console.log({ headers: { key: context.secret } });
    console.log(`The secret is ${context.secret}.`);
  };
  const error = await run({ run: log, seeds: 2 }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SimulationError);
  const { cause, message, timeline } = error as SimulationError;
  expect(cause).toMatchObject({ invariant: 'secrets' });
  expect(secret).not.toBe('');
  expect(message + timeline).not.toContain(secret);
});

test('a script does not end quietly while check or always waits forever', () => {
  const index = new URL('../../mock-server/simulate/index.ts', import.meta.url).href;
  const program = `
    const { simulate } = await import('${index}');
    const options = { seeds: 1, shrinkMs: 0, patience: 20, app: () => ({}), receive: () => () => {}, run: () => {} };
    const forever = () => new Promise(() => {});
    const log = ({ message }) => console.log(message);
    simulate({ ...options, check: forever }).catch(log)
      .then(() => simulate({ ...options, always: forever })).catch(log)
      .then(() => { process.exitCode = 7; });`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  for (const name of ['check', 'always'])
    expect(stdout).toContain(`\`${name}\` is waiting for something that never happens.`);
  expect(status).toBe(7);
});
