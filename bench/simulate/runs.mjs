import { parseArgs } from 'node:util';
import { ContentGen } from '../../dist/index.js';
import { createMockServer } from '../../dist/mock/index.js';
import { simulate } from '../../dist/mock/simulate.js';
import { createWebhookHandler } from '../../dist/webhooks.js';

// node bench/simulate/runs.mjs [--quick]: CPU time of this process, user and system.
const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const seeds = quick ? 1000 : 5000;
const goal = 500;
const prompts = ['one', 'two', 'three', 'four', 'five'];
const chaos = {
  loseAnswer: 0.1,
  duplicate: 0.1,
  reorder: 0.2,
  delay: '2 minutes',
  crash: 0.05,
  unavailable: 0.05,
  rateLimited: 0.05,
  modelFails: 0.02,
};
/** With these faults, a run has about twelve attempts, and every other one fails. */
const stormy = { ...chaos, loseAnswer: 0.4, duplicate: 0.2, drop: 0.2 };
const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Five jobs. The handler's default deduplication, which is in memory, keeps each result once. */
function application({ client, secret, url, mock }, keep) {
  const on = { generation_completed: ({ payload }) => keep(payload.requestId) };
  const webhooks = createWebhookHandler({ secret, logger, now: mock.clock.now, on });
  return {
    order: (prompt) => client.content.start({ prompt, webhookUrl: url }),
    webhooks,
  };
}

const simulation = (faults) => (check) =>
  simulate({
    seeds,
    chaos: faults,
    check,
    progress: false,
    app(context) {
      const results = context.disk.open('results');
      return application(context, (id) => results.set(id, true));
    },
    receive: (app) => app.webhooks,
    run: ({ app }) => Promise.allSettled(prompts.map((prompt) => app.order(prompt))),
    effects: ({ disk }) => disk.open('results').keys(),
  });

/** The same jobs on one server, reset for each run: the cost of the client, the service and the receiver. */
async function withoutSimulation(check) {
  const url = 'https://app.example/webhooks';
  const mock = createMockServer({ clock: 'manual', processingTime: { min: 0, max: 4000 } });
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { baseUrl, adminKey: apiKey, fetch, signingSecret: secret } = mock;
    const results = new Set();
    const client = new ContentGen({ baseUrl, apiKey, fetch });
    const app = application({ client, secret, url, mock }, (id) => results.add(id));
    mock.receivers.set(url, app.webhooks);
    await Promise.allSettled(prompts.map((prompt) => app.order(prompt)));
    await mock.clock.advance('1 minute');
    if (results.size !== prompts.length) throw new Error(`${results.size} results`);
    check?.({ mock });
    mock.reset();
  }
}

async function measure(work) {
  let attempts = 0;
  // This also warms up.
  await work(({ mock }) => {
    for (const delivery of mock.deliveries()) attempts += delivery.attempts.length;
  });
  const before = process.cpuUsage();
  const start = performance.now();
  const { faults = 0 } = (await work()) ?? {};
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000;
  const figures = { attempts: attempts / seeds, faults: faults / seeds, wall: wall / seeds };
  return { ...figures, ms: cpu / seeds, perSecond: (1000 * seeds) / cpu };
}

console.log(
  `${seeds} runs of ${prompts.length} jobs with the default deduplication, one process\n`,
);
console.log(
  '| | runs per CPU second | CPU ms per run | ms per run | attempts per run | faults per run |',
);
console.log('| --- | --: | --: | --: | --: | --: |');
const rows = {
  'simulated, default mix of faults': simulation(chaos),
  'simulated, every other attempt fails': simulation(stormy),
  'simulated, no faults': simulation({}),
  'the same jobs without a simulation': withoutSimulation,
};
const claims = [];
for (const [name, work] of Object.entries(rows)) {
  const { ms, perSecond, wall, attempts, faults } = await measure(work);
  const figures = [
    Math.round(perSecond),
    ms.toFixed(2),
    wall.toFixed(2),
    attempts.toFixed(1),
    faults.toFixed(1),
  ];
  console.log(`| ${name} | ${figures.join(' | ')} |`);
  if (name.includes('faults') || name.includes('attempt')) claims.push([name, perSecond]);
}
console.log('');
for (const [name, perSecond] of claims) {
  console.log(`${perSecond >= goal ? 'ok ' : 'NO '} at least ${goal} runs per CPU second: ${name}`);
}
