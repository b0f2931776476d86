import type { Receive } from './options.ts';
import type { World } from './world.ts';

/**
 * Passes a request to the receiver that `find` returns. A receiver can throw; a missing one, or one that returns no
 * response, fails the run with an explanation.
 */
export async function receiveWith(
  world: World,
  find: () => Receive,
  request: Request,
): Promise<Response> {
  const receive = orFail(world, () => {
    const found: unknown = find();
    if (typeof found === 'function') return found as Receive;
    throw new TypeError(`receive returned ${kindOf(found)}, not (request) => Response.`);
  });
  const response: unknown = await receive(request);
  return orFail(world, () => {
    if (typeof Object(response).status === 'number') return response as Response;
    throw new TypeError(`The receiver returned ${kindOf(response)}, not a Response.`);
  });
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function orFail<T>(world: World, work: () => T): T {
  try {
    return work();
  } catch (error) {
    world.fail(error);
    throw error;
  }
}
