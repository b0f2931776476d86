import { kindOf } from '../domain/options.ts';
import { short } from './fault-chooser.ts';
import type { Instances } from './instances.ts';
import type { Receive } from './options.ts';
import type { Simulation } from './simulation.ts';

const LONGEST_COPY_S = 20;
const MOST_COPIES = 3;
/** In two runs of three, callbacks wait for each other until the next multiple of this time, and arrive together. */
const BURSTS_MS = [0, 1000, 4000] as const;

export function createReceiver<App>(
  simulation: Simulation,
  instances: Instances<App>,
  options: { readonly replicas: number; readonly receive: (app: App) => Receive },
): Receive {
  const { steps, trace, choices } = simulation;
  const copies = new Map<string, number>();
  const burstMs = BURSTS_MS[choices.among('burst', BURSTS_MS.length)] ?? 0;

  /** Hands the request to an instance; resolves to a network error if that instance crashes. */
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
            steps.add({ what: `${what} responded`, run: () => end(response) });
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
    if (count === MOST_COPIES || !choices.chance('copy', simulation.chaos.duplicate)) return;
    copies.set(what, count + 1);
    simulation.injected('duplicate', 'callback');
    const copy = request.clone();
    const seconds = choices.upTo('copy after', LONGEST_COPY_S);
    const run = () => void handOver(copy, `copy of ${what}`);
    simulation.after((seconds - 1) * 1000, { what: `copy of ${what}`, run });
  }

  return (request) => {
    const what = `callback ${short(request.headers.get('webhook-id') ?? '')}`;
    copyLater(request, what);
    if (burstMs === 0) return handOver(request, what);
    const at = Math.ceil(simulation.now() / burstMs) * burstMs;
    return new Promise((resolve) => {
      steps.at(at, { what: `${what} arrives`, run: () => resolve(handOver(request, what)) });
    });
  };
}

/**
 * Passes a request to the receiver that `find` returns. A receiver can throw; a missing one, or one that returns no
 * response, fails the run with an explanation.
 */
async function receiveWith(
  simulation: Simulation,
  find: () => Receive,
  request: Request,
): Promise<Response> {
  const receive = orFail(simulation, () => {
    const found: unknown = find();
    if (typeof found === 'function') return found as Receive;
    throw new TypeError(`receive returned ${kindOf(found)}, not (request) => Response.`);
  });
  const response: unknown = await receive(request);
  return orFail(simulation, () => {
    if (typeof Object(response).status === 'number') return response as Response;
    throw new TypeError(`The receiver returned ${kindOf(response)}, not a Response.`);
  });
}

function orFail<T>(simulation: Simulation, work: () => T): T {
  try {
    return work();
  } catch (error) {
    simulation.fail(error);
    throw error;
  }
}
