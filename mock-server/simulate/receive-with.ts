import { kindOf } from '../domain/known-options.ts';
import type { Receive } from './options.ts';
import type { Simulation } from './simulation.ts';

/**
 * Passes a request to the receiver that `find` returns. A receiver can throw; a missing one, or one that returns no
 * response, fails the run with an explanation.
 */
export async function receiveWith(
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
