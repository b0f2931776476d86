import { milliseconds } from '../control/arguments.ts';
import { resolveChaos } from './chaos.ts';
import { checkOptions } from './check-options.ts';
import { seededChoices } from './choices.ts';
import { loadFakeTimers } from './globals.ts';
import type { Receive, SimulateOptions, SimulationResult } from './options.ts';
import { nextTurn } from './quiesce.ts';
import { type RunOutcome, runOnce } from './run.ts';
import type { RunSetup } from './run-setup.ts';
import { createService } from './service.ts';
import { shrink } from './shrink.ts';
import {
  MissingPeerError,
  NondeterminismError,
  RunawayError,
  SimulationError,
  StuckError,
} from './simulation-error.ts';
import { firstDifference } from './trace.ts';

const DEFAULT_SEEDS = 200;
const DEFAULT_URL = 'https://app.example/webhooks';
/** One run in this many is repeated, to find out whether the application is deterministic. */
const CHECK_EVERY = 250;
/** How often the event loop gets a turn, in ms, because a test runner expects signs of life. */
const PAUSE_MS = 50;

/** One simulation at a time, because all share the driver of time and randomness, and maybe the globals. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs an application against the reference server, once for each seed, while requests fail, callbacks are lost,
 * repeated and reordered, and instances crash. The first run in which something is wrong is reduced to the faults
 * needed to reproduce it.
 *
 * @throws SimulationError for the first seed that fails, with its timeline
 * @throws TypeError that names the option that is wrong
 * @example
 * ```ts
 * import { simulate } from 'contentgen/simulate';
 * import { createWebhookHandler } from 'contentgen/webhooks';
 *
 * await simulate({
 *   seeds: 20,
 *   app: ({ client, secret, disk, url }) => {
 *     const results = disk.open('results');
 *     return {
 *       order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
 *       webhooks: createWebhookHandler({
 *         secret,
 *         on: { generation_completed: ({ payload }) => results.set(`${payload.requestId}`, 'done') },
 *       }),
 *     };
 *   },
 *   receive: (app) => app.webhooks,
 *   run: ({ app }) => app.order('story'),
 *   effects: ({ disk }) => disk.open('results').keys(),
 * });
 * ```
 */
export async function simulate<App>(options: SimulateOptions<App>): Promise<SimulationResult> {
  const setup = await prepare(options);
  const seeds = seedsOf(options);
  const turn = last.then(() => runSeeds(setup, seeds));
  last = turn.catch(() => {});
  return turn;
}

async function runSeeds<App>(
  setup: RunSetup<App>,
  { from, count }: Seeds,
): Promise<SimulationResult> {
  const start = performance.now();
  let pausedAt = start;
  const coverage = new Map<string, number>();
  const outside = new Set<string>();
  for (let seed = from; seed < from + count; seed += 1) {
    let outcome = await runOnce(setup, seed, seededChoices(seed));
    // In an extra first run, the application loads what it loads only once.
    if (seed === from && !isRunaway(outcome))
      outcome = await runOnce(setup, seed, seededChoices(seed));
    for (const [fault, times] of outcome.faults)
      coverage.set(fault, (coverage.get(fault) ?? 0) + times);
    if (outcome.failure?.error instanceof MissingPeerError) throw outcome.failure.error;
    const isChecked = (seed - from) % CHECK_EVERY === 0 || outcome.failure || outcome.waitedOutside;
    const second =
      isChecked && !isRunaway(outcome)
        ? await runOnce(setup, seed, seededChoices(seed), true)
        : undefined;
    for (const name of second?.outside ?? []) outside.add(name);
    const different = second && firstDifference(outcome.trace, second.trace);
    const failure =
      second && different !== undefined
        ? { error: new NondeterminismError(outcome, second, different, setup.options.globals) }
        : outcome.failure;
    if (failure) throw await report(setup, { seed, outcome, failure, outside: [...outside] });
    if (performance.now() - pausedAt > PAUSE_MS) {
      await nextTurn();
      pausedAt = performance.now();
    }
  }
  return {
    runs: count,
    faults: [...coverage.values()].reduce((sum, times) => sum + times, 0),
    ms: Math.round(performance.now() - start),
    coverage: Object.fromEntries([...coverage].sort(([, a], [, b]) => b - a)),
    outside: [...outside],
  };
}

const isRunaway = ({ failure }: RunOutcome) => failure?.error instanceof RunawayError;

interface Failed {
  readonly seed: number;
  readonly outcome: RunOutcome;
  readonly failure: { readonly error: unknown };
  readonly outside: readonly string[];
}

async function report<App>(
  setup: RunSetup<App>,
  { seed, outcome, failure, outside }: Failed,
): Promise<SimulationError> {
  const isRepeatable = !(failure.error instanceof NondeterminismError || isRunaway(outcome));
  const { shrinkMs = 5000 } = setup.options;
  const reduced = isRepeatable ? await shrink(setup, seed, outcome, shrinkMs) : outcome;
  const error = reduced.failure?.error ?? failure.error;
  if (error instanceof StuckError) error.blame(outside);
  const { trace, faults } = reduced;
  const traceHash = outcome.trace.hash();
  return new SimulationError({ seed, trace, traceHash, faults: [...faults.keys()] }, error);
}

async function prepare<App>(options: SimulateOptions<App>): Promise<RunSetup<App>> {
  checkOptions(options);
  const { replicas = 1, url = DEFAULT_URL, patience = 500 } = options;
  return {
    options,
    replicas,
    url,
    patience,
    isShown: seedsOf(options).count === 1,
    service: createService({
      ...options.server,
      ...(options.deployment && { deployment: options.deployment }),
    }),
    chaos: resolveChaos(options.chaos),
    receive: options.receive ?? asReceiver,
    settleForMs: milliseconds(options.settleFor ?? '1 hour'),
    fakeTimers: options.globals ? await loadFakeTimers() : undefined,
  };
}

function asReceiver(app: unknown): Receive {
  if (typeof app === 'function') return app as Receive;
  throw new TypeError('receive is missing: pass (app) => the function that receives callbacks.');
}

type Seeds = Exclude<SimulateOptions<unknown>['seeds'], number | undefined>;

function seedsOf({ seeds = DEFAULT_SEEDS }: Pick<SimulateOptions<unknown>, 'seeds'>): Seeds {
  const chosen = globalThis.process?.env?.['SIMULATE_SEED'];
  const { from, count } =
    chosen !== undefined && chosen !== ''
      ? { from: Number(chosen), count: 1 }
      : typeof seeds === 'number'
        ? { from: 1, count: seeds }
        : Object(seeds);
  if (Number.isSafeInteger(from) && from >= 0 && Number.isSafeInteger(count) && count > 0) {
    return { from, count };
  }
  throw new TypeError(
    'seeds must be a number of at least 1 or { from, count }, and SIMULATE_SEED a whole number.',
  );
}
