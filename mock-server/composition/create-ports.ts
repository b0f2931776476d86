import type { MovableClock } from '../control/clock/advance-clock.ts';
import { defaultGenerator, GenerationFailure } from '../domain/default-generator.ts';
import { platformRandom, seededRandom } from '../domain/ids.ts';
import type { Generator, Ports, Randomness, Signer, Store, Transport } from '../domain/ports.ts';
import { platform } from '../platform/crypto.ts';
import { pause } from '../platform/timers.ts';
import { createTokenAuthority } from '../platform/tokens.ts';
import type { MockServerOptions } from './options.ts';

const pauseOfManualClock: Ports['pause'] = async (_, ...signals) => {
  for (const signal of signals) signal.throwIfAborted();
};

type OnError = (error: unknown) => void;

export interface PortParts {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly sign: Signer;
  readonly transport: Transport;
  readonly issuer: string;
  readonly onError: OnError;
  readonly driver: PortDriver | undefined;
}

/** The decisions of a caller that drives the server step by step. */
export interface PortDriver {
  readonly chooseFault: NonNullable<Ports['chooseFault']>;
  /** Replaces the randomness of the `seed` option. */
  random(store: Store): Randomness;
  /** Replaces the platform's functions, which run on other threads for an unpredictable time. */
  readonly sealing: Pick<Ports, 'seal' | 'unseal'>;
}

/**
 * Creates the ports through which the domain reaches the outside world: the real ones, unless an option replaces them.
 */
export function createPorts(options: MockServerOptions, parts: PortParts): Ports {
  const { seed, jwks, generator } = options;
  const { store, clock, sign, transport, issuer, onError, driver } = parts;
  const { digest, fillRandom, ...rest } = platform();
  const { seal, unseal } = driver?.sealing ?? rest;
  return {
    clock,
    ...(driver && { chooseFault: driver.chooseFault }),
    random:
      driver?.random(store) ??
      (seed === undefined ? platformRandom(fillRandom) : seededRandom(store, seed)),
    digest,
    seal,
    unseal,
    sign,
    tokens: createTokenAuthority({ issuer, store, ...(jwks && { jwks }) }),
    generate: generator ? reportingGenerator(generator, onError) : defaultGenerator,
    transport,
    pause: clock.mode === 'manual' ? pauseOfManualClock : pause,
  };
}

/** Reports unexpected errors of the generator, because API callers never see them. */
function reportingGenerator(generator: Generator, onError: OnError): Generator {
  return async function* generate(input, context) {
    try {
      return yield* generator(input, context);
    } catch (error) {
      const expected = context.signal.aborted || error instanceof GenerationFailure;
      if (!expected) onError(error);
      throw error;
    }
  };
}
