import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest';
import { ContentGen } from '../../src/index.ts';
import { freePort } from '../support/free-port.ts';
import { type Application, copyApplication } from './installed.ts';
import { type Service, startPackedServer } from './packed-server.ts';

// Eight tasks (the one about simulations is in simulation.test.ts). Each has a solution that relies only on
// skills/contentgen/SKILL.md, and is run against the packed package and a server: the page must be sufficient and true.
const folder = new URL('skill/', import.meta.url);
let application: Application;
const servers: ChildProcess[] = [];
let shared: Service;
/** What the solution of the current test talks to. */
let service: Service;

async function startServer(...flags: string[]): Promise<Service> {
  const server = await startPackedServer(application, flags);
  servers.push(server.child);
  return server;
}

/** A new organization on the server that all tests use. */
async function createOrganization(options: { readonly quota?: number } = {}): Promise<Service> {
  return { ...shared, ...(await shared.mock.createOrganization(options)) };
}

beforeAll(async () => {
  application = copyApplication(inject('installation'));
  shared = await startServer();
});

afterAll(() => {
  for (const server of servers) server.kill();
  application?.remove();
});

beforeEach(async () => {
  service = await createOrganization();
});

describe('an agent that has read the page', () => {
  test('01 survives an outage without being billed twice', async () => {
    const { mock, organization } = service;
    await mock.faults.add({
      organization,
      operation: 'generateContent',
      times: 3,
      effect: { status: 503, retryAfter: 1 },
    });
    await mock.faults.add({
      organization,
      operation: 'generateContent',
      times: 1,
      effect: { loseAnswer: true },
    });
    const { status, stdout } = run('01-outage');
    expect({ status, length: stdout.trim().length > 10 }).toEqual({ status: 0, length: true });
    expect((await client().usage.get()).requests).toBe(1);
  });

  test('02 tells errors apart', async () => {
    expect(run('02-errors', ['hello']).status).toBe(0);
    expect(run('02-errors', [''])).toMatchObject({ status: 3, stdout: '/prompt\n' });
    expect(run('02-errors', ['x'], { CONTENTGEN_API_KEY: wrongKey }).status).toBe(5);
    service = await createOrganization({ quota: 1 });
    run('02-errors', ['hello']);
    const { status, stdout } = run('02-errors', ['hello']);
    expect(status).toBe(4);
    expect(stdout.trim()).toBe((await client().usage.get()).periodEnd);
  });

  test('03 receives results, each once, and again after a failure', async () => {
    service = await startServer();
    const PORT = `${await freePort()}`;
    const receiver = spawn(process.execPath, [copy('03-receive')], {
      cwd: application.folder,
      env: { ...environment(), PORT },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void receiver.kill());
    let printed = '';
    receiver.stdout.on('data', (chunk) => (printed += String(chunk)));
    const target = `http://127.0.0.1:${PORT}/webhooks`;
    await expect
      .poll(
        () =>
          fetch(target).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    const job = await client().content.start({ prompt: '[[say: only once]]', webhookUrl: target });
    await expect
      .poll(async () => (await service.mock.deliveries())[0]?.attempts.length, { timeout: 20_000 })
      .toBe(1);
    expect(printed).toBe('');
    await service.mock.clock.advance('10 minutes');
    const [delivery] = await service.mock.deliveries();
    expect(delivery).toMatchObject({ status: 'delivered', requestId: job.requestId });
    await client().webhooks.redeliver(delivery?.id ?? '');
    await service.mock.settle();
    await expect.poll(() => printed, { timeout: 20_000 }).toBe('only once\n');
    const forged = await fetch(target, { method: 'POST', body: '{"result":"forged"}' });
    expect({ status: forged.status, printed }).toEqual({ status: 400, printed: 'only once\n' });
    receiver.kill();
    await once(receiver, 'exit');
  });

  test('04 waits, but not forever', async () => {
    const target = `http://127.0.0.1:${await freePort()}/`;
    // With this seed, the first generation takes less than half a second.
    service = await startServer('--seed', '18');
    expect(run('04-wait', [target]).stdout).toMatch(/^gen_\w{26}\ndone\n$/);
    await service.mock.hold('generateContent');
    const { status, stdout, stderr } = run('04-wait', [target]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^gen_\w{26}\nstill running\n$/);
  });

  const collecting = (callback: string, secret = 'secret') => `
    import { createWebhookHandler } from 'contentgen/webhooks';
    export function collect({ client, secret, now }) {
      const results = new Map();
      const POST = ${
        secret === 'none'
          ? `async (request) => {
              const payload = await request.json();
              results.set(payload.requestId, payload.result);
              return new Response();
            }`
          : `createWebhookHandler({ secret, now, logger: { ...console, diagnose: false }, on: { generation_completed: ({ payload }) => ${callback} } })`
      };
      return { POST, results, ask: (prompt, webhookUrl) => client.content.start({ prompt, webhookUrl }) };
    }`;

  test.each([
    ['right', collecting('void results.set(payload.requestId, payload.result)'), 0],
    [
      'one that changes the text',
      collecting('void results.set(payload.requestId, payload.result.trim() + ".")'),
      1,
    ],
    ['one that verifies nothing', collecting('', 'none'), 1],
  ])('05 writes a test that catches a receiver: %s', (_name, app, status) => {
    expect(runTest('05-test', app)).toBe(status);
  });

  const asking = (body: string) => `
    import { QuotaExceededError } from 'contentgen';
    let saidNo = false;
    export async function ask(client, prompt) {
      try {
        ${body}
        return (await client.content.generate({ prompt })).result;
      } catch (error) {
        saidNo = true;
        if (error instanceof QuotaExceededError) return 'come back next month';
        throw error;
      }
    }`;

  test.each([
    ['right', asking(''), 0],
    ['one that never asks again', asking("if (saidNo) return 'come back next month';"), 1],
  ])('06 writes a test over a month: %s', (_name, app, status) => {
    expect(runTest('06-time', app)).toBe(status);
  });

  test('08 receives over a queue from a service that differs', () => {
    const deployment = {
      wrap: 'data',
      fields: { requestId: 'id', result: 'output' },
      statuses: { completed: 'succeeded' },
      scheme: { type: 'hmac', header: 'X-Signature', format: 'sha256={signature}' },
      secretEncoding: 'utf8',
    };
    application.write('deployment.json', JSON.stringify(deployment));
    copy('08-differs');
    application.write('judge.mjs', read('08-differs/judge.mjs'));
    const { stdout } = spawnSync(process.execPath, ['judge.mjs'], {
      cwd: application.folder,
      encoding: 'utf8',
      env: environment(),
    });
    expect(JSON.parse(stdout)).toEqual(['one', 'two']);
  });
});

test('there is a task for each solution, and the page is in the package', () => {
  const tasks = readdirSync(folder);
  expect(tasks).toHaveLength(8);
  for (const task of tasks) expect(read(`${task}/task.md`)).toContain('solution.mjs');
  const page = readFileSync(
    join(application.folder, 'node_modules/contentgen/skills/contentgen/SKILL.md'),
    'utf8',
  );
  expect(page).toMatch(/^---\nname: contentgen\ndescription: .{80,}\n---\n/);
});

const wrongKey = 'cg_test_0El6XFXwsUFD8J2vGxsaboW7rZYnQRBP5d9erwRwd294RQjyC';
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const client = () => new ContentGen({ baseUrl: service.url, apiKey: service.adminKey });

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    CONTENTGEN_BASE_URL: service.url,
    CONTENTGEN_API_KEY: service.adminKey,
    CONTENTGEN_WEBHOOK_SECRET: service.signingSecret,
  };
}

function copy(task: string): string {
  application.write(`${task}.mjs`, read(`${task}/solution.mjs`));
  return `${task}.mjs`;
}

function run(task: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [copy(task), ...args], {
    cwd: application.folder,
    encoding: 'utf8',
    env: { ...environment(), ...env },
  });
}

/** The exit code of the solution as a test of this application. */
function runTest(task: string, app: string): number | null {
  application.write('app.mjs', app);
  const { status } = spawnSync(process.execPath, ['--test', copy(task)], {
    cwd: application.folder,
    env: environment(),
    timeout: 30_000,
  });
  return status;
}
