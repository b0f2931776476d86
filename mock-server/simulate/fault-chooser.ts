import type { Fault } from '../domain/records.ts';
import type { Simulation } from './simulation.ts';

/** Attempts of a delivery after this one get no faults, so that each delivery arrives eventually. */
const LAST_FAULTY_ATTEMPT = 6;
/** The share of callbacks that `delay` holds back. */
const DELAYED = 0.2;
const STORM_S = 30;

/** Chooses what goes wrong with a request at the service, and with an attempt of a delivery. */
export function createFaultChooser(simulation: Simulation) {
  const { chaos, choices, trace } = simulation;
  let stormUntil = 0;

  function chooseForOperation(name: string): Fault['effect'] | undefined {
    const left = Math.ceil((stormUntil - simulation.now()) / 1000);
    if (left > 0) return { status: 429, retryAfter: left };
    const fault = choices.weighted(`service ${name}`, [chaos.unavailable, chaos.rateLimited]);
    if (fault === 0) return undefined;
    simulation.injected(fault === 1 ? 'unavailable' : 'rateLimited', name);
    if (fault === 1) return { status: 503 };
    const seconds = choices.upTo('storm', STORM_S);
    stormUntil = simulation.now() + seconds * 1000;
    return { status: 429, retryAfter: seconds };
  }

  function chooseForDelivery(attempt: number): Fault['effect'] | undefined {
    if (attempt > LAST_FAULTY_ATTEMPT) return undefined;
    const { loseAnswer, reorder, refused, delay } = chaos;
    const delayed = delay > 0 ? DELAYED : 0;
    const weights = [loseAnswer, reorder, refused, delayed];
    const index = choices.weighted(`callback, attempt ${attempt}`, weights);
    if (index === 0) return undefined;
    const names = ['loseAnswer', 'reorder', 'refused', 'delay'];
    simulation.injected(names[index - 1] as string, `callback attempt ${attempt}`);
    if (index === 1) return { loseAnswer: true };
    if (index === 2) return { reorder: true };
    if (index === 3) return { drop: true };
    return { delay: choices.upTo('delay', delay) };
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
      const fails = choices.chance('model', chaos.modelFails);
      if (fails) simulation.injected('modelFails', 'generation');
      return fails;
    },
  };
}

function describe(effect: Fault['effect']): string {
  if (effect['loseAnswer']) return 'the response will be lost';
  if (effect['reorder']) return 'the next one overtakes it';
  if (effect['drop']) return 'connection refused';
  if (effect['delay']) return `held back for ${Number(effect['delay']) / 1000} s`;
  return `${effect['status']}`;
}

/** The end of an id, which distinguishes it from others. */
export function short(id: string): string {
  const [prefix = '', rest = ''] = id.split('_');
  return `${prefix}_…${rest.slice(-4)}`;
}
