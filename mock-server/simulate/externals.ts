import { mustBe, optionMistake } from '../domain/options.ts';
import type { Life } from './life.ts';
import type { Network } from './network.ts';
import type { Simulation } from './simulation.ts';

const LONGEST_COPY_S = 20;
/** Characters of a message that the timeline shows. */
const LONGEST_SHOWN = 60;

const rules = { key: mustBe('a string', (value) => typeof value === 'string' && value !== '') };

/** Options of `send`. */
export interface ExternalSendOptions {
  /** An idempotency key: the service takes only the first message with it, and acknowledges every other one too. */
  readonly key?: string | undefined;
}

/** A service outside, such as a mail server or a payment provider. All instances reach the same one. */
export interface External {
  /**
   * Sends a message, which is JSON, to the service. Resolves once the acknowledgment has arrived. A rejection does not
   * tell whether the message arrived: the acknowledgment can be what was lost.
   *
   * @throws TypeError `fetch failed` when the connection broke, or a sentence on what is wrong with the arguments
   */
  send(payload: unknown, options?: ExternalSendOptions): Promise<void>;
  /** For `check` and `effects`: what the service has taken, oldest first, once for each time that it acted. */
  received<T = unknown>(): T[];
}

/** Returns a function that creates the services of an instance, or those of `run`. All share what was received. */
export function createExternals(
  simulation: Simulation,
  network: Network,
): (life: Life | undefined) => (name: string) => External {
  const { choices, trace } = simulation;
  const services = new Map<string, { readonly texts: string[]; readonly keys: Set<string> }>();

  function take(name: string, text: string, key: string | undefined): void {
    const { texts, keys } = serviceOf(name);
    if (key !== undefined && keys.has(key)) return;
    if (key !== undefined) keys.add(key);
    texts.push(text);
    simulation.changed();
  }

  function serviceOf(name: string) {
    const service = services.get(name) ?? { texts: [], keys: new Set() };
    services.set(name, service);
    return service;
  }

  /** What relays a message can repeat it, after the sender has its acknowledgment. */
  function copyLater(what: string, run: () => void): void {
    if (simulation.observing || !choices.chance(`copy of ${what}`, simulation.chaos.duplicate))
      return;
    simulation.injected('duplicate', what);
    const seconds = choices.upTo(`copy of ${what} after`, LONGEST_COPY_S);
    const arrive = () => {
      trace.fault('service', `copy of ${what} arrives`);
      run();
    };
    simulation.after(seconds * 1000, { what: `copy of ${what}`, run: arrive });
  }

  return (life) => (name) => ({
    async send(payload, options = {}) {
      const what = `${name}.send`;
      const text = JSON.stringify(payload) as string | undefined;
      const mistake =
        text === undefined ? 'the message is not JSON' : optionMistake(options, rules);
      if (text === undefined || mistake) throw new TypeError(`Failed to ${what}: ${mistake}`);
      const arrive = () => take(name, text, options.key);
      await network.exchange(
        life,
        `${what} ${(options.key ?? text).slice(0, LONGEST_SHOWN)}`,
        async () => {
          arrive();
          copyLater(what, arrive);
          return new Response(null, { status: 204 });
        },
      );
    },
    received: <T>() => serviceOf(name).texts.map((text) => JSON.parse(text) as T),
  });
}
