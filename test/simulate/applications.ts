import {
  type Chaos,
  type InstanceContext,
  type SimulateOptions,
  sqlDisk,
} from 'contentgen/simulate';
import { expect } from 'vitest';
import { type Application, type Has, type Plant, receiver, start } from './application-parts.ts';
import { ledger, schema } from './credits-ledger.ts';

const chaos: Chaos = {
  loseAnswer: 0.1,
  duplicate: 0.3,
  reorder: 0.2,
  crash: 0.03,
  drop: 0.03,
  unreachable: 0.05,
  stall: 0.01,
  unavailable: 0.03,
  modelFails: 0.1,
  database: 0.03,
};
/** What an application meets whose mistakes show in more than lost and repeated calls. */
const adversity: Chaos = {
  ...chaos,
  delay: '2 minutes',
  pause: 0.005,
  clockSkew: '10 seconds',
  rateLimited: 0.05,
  secretRotated: 0.5,
};

interface Job {
  readonly until: number;
}

/** Puts each result on a queue, which a worker asks each second for what to mail. Its leases are long. */
function mailer(context: InstanceContext, has: Has) {
  const { disk, clock, mock, external } = context;
  const jobs = disk.open('jobs');
  const LEASE_MS = has('a lease that never ends') ? Number.MAX_SAFE_INTEGER : 600_000;

  const take = (id: string) =>
    jobs.atomic(`take ${id}`, (values) => {
      const job = values.get<Job>(id);
      if (!job || job.until > mock.clock.now()) return false;
      values.set(id, { until: mock.clock.now() + LEASE_MS });
      return true;
    });
  async function work(): Promise<void> {
    const list = (await jobs.get<string[]>('list')) ?? [];
    for (const id of [...list, ...(await jobs.keys('gen_'))]) {
      if (!(await take(id))) continue;
      if (has('a job that is removed before its mail')) await jobs.delete(id);
      const key = has('mail without a key') ? undefined : id;
      const sent = external('mail').send(id, { key });
      await (has('a failed mail that counts as sent') ? sent.catch(() => {}) : sent);
      await jobs.delete(id);
    }
  }
  async function enqueue(id: string): Promise<void> {
    if (has('a queue in one value')) {
      const list = (await jobs.get<string[]>('list')) ?? [];
      await jobs.set('list', [...list, id]);
    }
    await jobs.atomic(`add ${id}`, (values) => {
      const isListed = has('a queue in one value') && !values.get<string[]>('list')?.includes(id);
      if (!isListed && !values.get(`done/${id}`)) values.set(id, { until: 0 });
    });
  }
  let isWorking = false;
  const poll = () => {
    if (isWorking) return;
    isWorking = true;
    const end = () => {
      isWorking = false;
    };
    void work().then(end, end);
  };
  clock.every(1000, poll);
  const kept = context.secret;
  return {
    order: (prompt: string) => start(context, prompt),
    webhooks: receiver(
      context,
      (id) => {
        if (!has('an answer before the job is stored')) return enqueue(id);
        void enqueue(id);
        return undefined;
      },
      has('a secret kept past its rotation') ? () => kept : undefined,
    ),
  };
}

interface App {
  order(prompt: string): Promise<unknown>;
  webhooks(request: Request): Promise<Response>;
}

const applications = { ledger, mailer };
const prompts = ['a whale', 'a whaler', 'a storm', 'a harbour', 'a whale'];

/** The ids of the generations that were paid for. */
async function completedIn({ content }: InstanceContext['client']): Promise<string[]> {
  const completed = await content.list({ status: 'completed' }).toArray();
  return completed.map(({ requestId }) => requestId);
}

const checks: Record<Application, NonNullable<SimulateOptions<App>['check']>> = {
  async ledger({ client, disk }) {
    const db = await sqlDisk(disk, { schema });
    const completed = await completedIn(client);
    const { rows } = await db.query<{ credits: number }>('SELECT credits FROM accounts');
    expect(100 - (rows[0]?.credits ?? 0), 'charges').toBe(completed.length);
    const { rowCount } = await db.query('SELECT FROM bonuses');
    expect(rowCount, 'bonuses').toBe(Math.min(1, completed.length));
  },
  async mailer({ client, external }) {
    const mails = external('mail').received<string>();
    expect(mails.toSorted()).toEqual((await completedIn(client)).toSorted());
  },
};

/** The options of a simulation of the application, with one plant or none. */
export function simulationOf(
  name: Application,
  plant: Plant | undefined,
  seeds: number,
): SimulateOptions<App> {
  return {
    ...{ seeds, shrinkMs: 0, check: checks[name] },
    chaos: name === 'mailer' ? adversity : chaos,
    replicas: 2,
    app: (context) => applications[name](context, (one) => one === plant),
    receive: ({ webhooks }) => webhooks,
    run: ({ app }) => Promise.allSettled(prompts.map((prompt) => app.order(prompt))),
  };
}
