import type { FaultEffect } from '../domain/fault-effects.ts';
import type { Fault } from '../domain/records.ts';
import type { Simulation } from './simulation.ts';

/** Attempts of a delivery after this one get no faults, so that each delivery arrives eventually. */
const LAST_FAULTY_ATTEMPT = 6;
/** The share of callbacks that `delay` holds back. */
const DELAYED = 0.2;
const STORM_S = 30;
/** Effects on a delivery that chaos has too. */
const EFFECTS = ['loseAnswer', 'reorder', 'drop', 'delay'] as const satisfies FaultEffect[];

export function createFaultChooser(simulation: Simulation) {
  const { choices, trace } = simulation;
  let stormUntil = 0;

  function chooseForOperation(name: string): Fault['effect'] | undefined {
    const left = Math.ceil((stormUntil - simulation.now()) / 1000);
    if (left > 0) return { status: 429, retryAfter: left };
    const { chaos } = simulation;
    const cuts = /^(generateContent|getGeneration)$/.test(name) ? chaos.cutStream : 0;
    const weights = [chaos.unavailable, chaos.rateLimited, cuts];
    const fault = choices.weighted(`service ${name}`, weights);
    const injected = (['unavailable', 'rateLimited', 'cutStream'] as const)[fault - 1];
    if (!injected) return undefined;
    simulation.injected(injected, name);
    if (injected === 'unavailable') return { status: 503, retryAfter: 1 };
    if (injected === 'cutStream') return { cutStream: { after: choices.upTo('cut', 5) } };
    const seconds = choices.upTo('storm', STORM_S);
    stormUntil = simulation.now() + seconds * 1000;
    return { status: 429, retryAfter: seconds };
  }

  function chooseForDelivery(attempt: number): Fault['effect'] | undefined {
    if (attempt > LAST_FAULTY_ATTEMPT) return undefined;
    const { chaos } = simulation;
    const weights = EFFECTS.map((name) =>
      name === 'delay' && chaos.delay > 0 ? DELAYED : chaos[name],
    );
    const index = choices.weighted(`callback, attempt ${attempt}`, weights);
    const name = EFFECTS[index - 1];
    if (!name) return undefined;
    simulation.injected(name, `callback attempt ${attempt}`);
    return { [name]: name === 'delay' ? choices.upTo('delay', chaos.delay) : true };
  }

  return {
    chooseFault(
      kind: 'operation' | 'delivery',
      name: string,
      about: { readonly attempt?: number; readonly ref?: string },
    ): Fault['effect'] | undefined {
      if (simulation.observing) return undefined;
      const effect =
        kind === 'operation' ? chooseForOperation(name) : chooseForDelivery(about.attempt ?? 1);
      if (effect)
        trace.fault('fault', `${describe(effect)}: ${about.ref ? short(about.ref) : name}`);
      return effect;
    },
    modelFails: () => {
      const fails = choices.chance('model', simulation.chaos.modelFails);
      if (fails) simulation.injected('modelFails', 'generation');
      return fails;
    },
  };
}

/** `loseAnswer`, `status 503`, `delay 12 s`. */
function describe(effect: Fault['effect']): string {
  const [[name, value] = []] = Object.entries(effect);
  if (name === 'delay') return `delay ${Number(value) / 1000} s`;
  if (name === 'cutStream') return `cutStream after ${Object(value).after}`;
  return value === true ? `${name}` : `${name} ${value}`;
}

/** The end of an id, which distinguishes it from others. */
export function short(id: string): string {
  const [prefix = '', rest = ''] = id.split('_');
  return `${prefix}_…${rest.slice(-4)}`;
}
