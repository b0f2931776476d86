import type { UniverseOptions } from '../composition/options.ts';
import type { ControlHandler } from './handler.ts';
import { array, bool, type Check, fields, integer, object, oneOf, text } from './input.ts';
import { notFound } from './problem.ts';

/** What creating the mock does not check itself, and what a message should call a field. */
const checks: Readonly<Record<keyof UniverseOptions, Check>> = {
  seed: integer(0),
  clock: oneOf('real', 'manual'),
  start: text,
  faults: array,
  examples: bool,
  seedData: object,
  quota: integer(0),
  processingTime: (value) => (typeof value === 'number' ? undefined : object(value)),
  patience: integer(0),
  rateLimit: object,
  models: array,
};

/** By `METHOD /path`. A mock that does not listen on a socket has no universes, so these are 404 there. */
export const universeRoutes: Readonly<Record<string, ControlHandler>> = {
  'GET /universes': ({ universes }) => {
    if (!universes) throw notFound();
    return { status: 200, body: { data: universes.list() } };
  },
  'POST /universes': ({ universes, body }) => {
    if (!universes) throw notFound();
    return { status: 201, body: universes.create(fields<UniverseOptions>(body, {}, checks)) };
  },
  'DELETE /universes/:id': async ({ universes, id }) => {
    if (!(await universes?.remove(id))) throw notFound();
    return { status: 204 };
  },
};
