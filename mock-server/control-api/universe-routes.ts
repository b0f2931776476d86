import type { UniverseOptions } from '../options.ts';
import type { ControlHandler } from './control-call.ts';
import { array, fields, integer, object, oneOf, text } from './input.ts';
import { notFound } from './problem.ts';

/** By `METHOD /path`. A mock that does not listen on a socket has no universes, so these are 404 there. */
export const universeRoutes: Readonly<Record<string, ControlHandler>> = {
  'GET /universes': ({ universes }) => {
    if (!universes) throw notFound();
    return { status: 200, body: { data: universes.list() } };
  },
  'POST /universes': ({ universes, body }) => {
    if (!universes) throw notFound();
    const options = fields<UniverseOptions>(
      body,
      {},
      {
        seed: integer(0),
        clock: oneOf('real', 'manual'),
        start: text,
        faults: array,
        quota: integer(0),
        processingTime: (value) => (typeof value === 'number' ? undefined : object(value)),
        patience: integer(0),
        rateLimit: object,
        models: array,
      },
    );
    return { status: 201, body: universes.create(options) };
  },
  'DELETE /universes/:id': async ({ universes, id }) => {
    if (!(await universes?.remove(id))) throw notFound();
    return { status: 204 };
  },
};
