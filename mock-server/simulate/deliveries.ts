import type { Fault } from '../domain/records.ts';
import type { Instances } from './instances.ts';
import type { Receive } from './options.ts';
import { receiveWith } from './receive-with.ts';
import type { Simulation } from './simulation.ts';

/** Attempts of a delivery after this one get no faults, so that each delivery arrives in the end. */
const LAST_FAULTY_ATTEMPT = 6;
/** The share of callbacks that `delay` holds back. */
const DELAYED = 0.2;
const STORM_S = 30;
const LONGEST_COPY_S = 20;
const MOST_COPIES = 3;

/** Creates the receiver that hands callbacks to instances. */
export function createReceiver<App>(
  simulation: Simulation,
  instances: Instances<App>,
  options: { readonly replicas: number; readonly receive: (app: App) => Receive },
): Receive {
  const { steps, trace, choices, chaos } = simulation;
  const copies = new Map<string, number>();

  /** Hands the request to an instance; resolves to a network error when that crashes. */
  function handOver(request: Request, what: string): Promise<Response> {
    const replica = choices.among('replica', options.replicas);
    const instance = instances.running(replica);
    if (!instance) {
      trace.add('service', `${what} → connection refused: the instance is down`);
      return Promise.resolve(Response.error());
    }
    const { life } = instance;
    return new Promise((resolve) => {
      const work = { what };
      const end = (response: Response) => {
        life.onEnd.delete(broken);
        simulation.receiving.delete(work);
        resolve(response);
      };
      const broken = () => end(Response.error());
      life.onEnd.add(broken);
      const run = () => {
        trace.add('service', `${what} → ${life.name}`);
        simulation.receiving.add(work);
        void receiveWith(simulation, () => options.receive(instance.app as App), request).then(
          (response) => {
            trace.add(life.name, `${what} ← ${response.status}`);
            steps.add({ what: `${what} answered`, run: () => end(response) });
          },
          (error) => {
            trace.add(life.name, `${what} ← the receiver threw ${String(error).slice(0, 100)}`);
            broken();
          },
        );
      };
      steps.add({ life, what, run });
    });
  }

  /** Networks repeat messages too, and the copy can arrive while the first one is still being handled. */
  function copyLater(request: Request, what: string): void {
    const count = copies.get(what) ?? 0;
    if (count === MOST_COPIES || !choices.chance('copy', chaos.duplicate)) return;
    copies.set(what, count + 1);
    simulation.injected('duplicate', 'callback');
    const copy = request.clone();
    const seconds = choices.upTo('copy after', LONGEST_COPY_S);
    const run = () => void handOver(copy, `copy of ${what}`);
    steps.at(simulation.now() + (seconds - 1) * 1000, { what: `copy of ${what}`, run });
  }

  return (request) => {
    const what = `callback ${short(request.headers.get('webhook-id') ?? '')}`;
    copyLater(request, what);
    return handOver(request, what);
  };
}

/** Chooses what goes wrong with a request at the service, and with an attempt of a delivery. */
export function createFaultSource(simulation: Simulation) {
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
function short(id: string): string {
  const [prefix = '', rest = ''] = id.split('_');
  return `${prefix}_…${rest.slice(-4)}`;
}
