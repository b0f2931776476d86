import type { Generation } from '../domain/records.ts';
import type { PaidRequest } from './paid-request.ts';
import type { Simulation } from './simulation.ts';

/** What is checked in addition to `check`. Each one is on unless it is `false`. */
export interface InvariantOptions {
  /** Every completed generation whose callback goes to `url` had its effect exactly once. Needs `effects`. */
  readonly effects?: boolean;
  /** No generation was paid for twice: a POST whose response was lost is repeated under the same idempotency key. */
  readonly billing?: boolean;
  /** No promise rejection was left unhandled. */
  readonly rejections?: boolean;
  /** No call and no callback waits forever. */
  readonly waits?: boolean;
  /** No key, secret or token was written to the console, whether old or new. */
  readonly secrets?: boolean;
}

export const isOn = (
  invariants: InvariantOptions | false | undefined,
  name: keyof InvariantOptions,
): boolean => invariants !== false && invariants?.[name] !== false;

/** Thrown when an invariant does not hold. The simulation checks these without a `check` of yours. */
export class InvariantError extends Error {
  /** Always `InvariantError`. */
  override readonly name = 'InvariantError';
  /** Always `invariant_violated`. */
  readonly code = 'invariant_violated';
  /** The invariant that did not hold. */
  readonly invariant: keyof InvariantOptions;

  constructor(invariant: keyof InvariantOptions, message: string) {
    super(message);
    this.invariant = invariant;
  }
}

/** @throws InvariantError when a generation had its effect not at all, or more than once */
export function checkEffects(simulation: Simulation, url: string, effects: Iterable<string>): void {
  const counts = new Map<string, number>();
  for (const id of effects) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const generation of callbacksTo(simulation, url)) {
    const count = counts.get(generation.id) ?? 0;
    if (count === 1) continue;
    const message =
      count === 0
        ? withoutEffect(simulation, generation)
        : `The result of ${generation.id} had its effect ${count} times.`;
    throw new InvariantError('effects', message);
  }
}

function callbacksTo({ service }: Simulation, url: string): Generation[] {
  return service.context.store
    .table('generations')
    .oldest()
    .filter(({ status, webhookUrl }) => status === 'completed' && webhookUrl === url);
}

function withoutEffect({ service }: Simulation, { id }: Generation): string {
  const delivery = service.context.store.table('deliveries').find('request', id);
  return delivery?.status === 'delivered'
    ? `The callback of ${id} was acknowledged with a 2xx, but its result had no effect.`
    : `The result of ${id} had no effect, and the service has given up on its callback.`;
}

/** @throws InvariantError when a request whose response was lost was repeated under another key */
export function checkBilling({ paid, service }: Simulation): void {
  const generations = service.context.store.table('generations').oldest();
  const failed = new Set(
    generations.flatMap(({ status, apiRequestId = '' }) =>
      status === 'failed' ? [apiRequestId] : [],
    ),
  );
  const requests = [...paid.values()].filter(({ acceptedAs }) => acceptedAs.size > 0);
  for (const lost of requests) {
    // What failed costs nothing, and its callback says so: a new attempt is right.
    if (lost.responded || [...lost.acceptedAs].some((id) => failed.has(id))) continue;
    // Not one that was sent at the same time.
    const isLater = ({ order, life }: PaidRequest) =>
      order > lost.order &&
      (lost.failedAt === undefined ? life !== lost.life : order >= lost.failedAt);
    const again = requests.find((request) => request.body === lost.body && isLater(request));
    if (again) {
      throw new InvariantError(
        'billing',
        'A generation was paid for twice: the response to the first request was lost, and the same request was ' +
          'repeated under another idempotency key.',
      );
    }
  }
}

/** @throws InvariantError when something is still waiting after everything has settled */
export function checkWaits({ parked, receiving }: Simulation): void {
  const [step] = parked;
  if (step) {
    throw new InvariantError(
      'waits',
      `${step.what} waits for a transaction that never ends. Inside a transaction, use only tx.`,
    );
  }
  const [callback] = receiving;
  if (callback) {
    throw new InvariantError('waits', `The receiver never responded to ${callback.what}.`);
  }
}
