import type { MockServerOptions } from '../composition/options.ts';
import { createDrivenServer, type DrivenServer } from '../create-mock-server.ts';
import { defaultGenerator, GenerationFailure } from '../domain/default-generator.ts';
import { seededRandom } from '../domain/ids.ts';
import type { Generator, Ports, Randomness, Store, Table } from '../domain/ports.ts';
import type { Delivery, Job } from '../domain/records.ts';
import { drained } from './quiesce.ts';

/** Options of the reference server that the runs use. */
export type ServerOptions = Omit<
  MockServerOptions,
  'seed' | 'clock' | 'store' | 'transport' | 'patience' | 'faults'
>;

export interface ServiceRun {
  readonly seed: number;
  readonly chooseFault: NonNullable<Ports['chooseFault']>;
  modelFails(): boolean;
  onError(error: unknown): void;
}

/** The reference server of all runs: a reset is far cheaper than another server. */
export interface Service extends DrivenServer {
  start(run: ServiceRun): void;
  runDue(): void;
  moveTo(time: number): void;
  /** When something is due: a generation, a delivery, the end of a month. */
  nextAt(): number | undefined;
  /** Whether a generation or a delivery is in progress or still to come. */
  isBusy(): boolean;
  /** Resolves once nothing runs in another thread; what the service has not done by then waits for the simulated clock. */
  worked(): Promise<void>;
}

/** Sealing without encryption, because the data of a run never leaves this process. */
const sealing: Pick<Ports, 'seal' | 'unseal'> = {
  seal: async (plaintext, secret) => JSON.stringify([secret, plaintext]),
  async unseal(sealed, secret) {
    const [key, plaintext] = JSON.parse(sealed) as [string, string];
    return key === secret ? plaintext : undefined;
  },
};

const LONGEST_PROCESSING_MS = 4_000;
const INITIAL_SEED = 1;

export function createService(options: ServerOptions = {}): Service {
  let run: ServiceRun | undefined;
  let random: Randomness | undefined;
  const { generator = defaultGenerator } = options;

  const model: Generator = (input, context) => {
    if (run?.modelFails()) throw new GenerationFailure('The model failed to generate a result.');
    return generator(input, context);
  };
  const driven = createDrivenServer(
    {
      processingTime: { min: 0, max: LONGEST_PROCESSING_MS },
      onError: (error) => run?.onError(error),
      ...options,
      generator: model,
    },
    {
      sealing,
      chooseFault: (kind, name, about) => run?.chooseFault(kind, name, about),
      random(store: Store): Randomness {
        random = seededRandom(store, INITIAL_SEED);
        return {
          bytes: (stream, length) => (random as Randomness).bytes(stream, length),
          fraction: (stream) => (random as Randomness).fraction(stream),
          fractionFor: (stream, label) => (random as Randomness).fractionFor(stream, label),
        };
      },
    },
  );
  const { server, context, clock } = driven;
  const { scheduler, store } = context;
  const working = new Set<Promise<unknown>>();
  /** Notes what runs in another thread, which takes as long as the machine lets it. */
  const noted =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> => {
      const pending = work(...args).finally(() => working.delete(pending));
      working.add(pending);
      return pending;
    };
  const { issue, verify, jwks } = context.ports.tokens;
  Object.assign(context.ports.tokens, {
    issue: noted(issue),
    verify: noted(verify),
    jwks: noted(jwks),
  });
  return {
    ...driven,
    start(next) {
      server.receivers.clear();
      random = seededRandom(store, next.seed);
      run = next;
    },
    runDue: () => scheduler.runDue(),
    moveTo: (time) => clock.moveTo(time),
    nextAt: () => scheduler.nextAt(),
    async worked() {
      for (; working.size > 0; await drained()) await Promise.allSettled(working);
    },
    isBusy: () =>
      scheduler.inFlight > 0 ||
      hasPending(store.table('deliveries')) ||
      store.table('jobs').oldest().some(isCompletion),
  };
}

const hasPending = (deliveries: Table<Delivery>): boolean =>
  deliveries.oldest().some(({ status }) => status === 'pending');
const isCompletion = ({ kind }: Job): boolean => kind === 'generation.complete';
