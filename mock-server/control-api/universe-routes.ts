import type { UniverseOptions } from '../composition/options.ts';
import { count, flag, type OptionRule, oneOf, text } from '../domain/known-options.ts';
import type { ControlHandler } from './handler.ts';
import { array, fields, object } from './input.ts';
import { notFound } from './problem.ts';

/** What creating the mock does not check itself, and what a message should call a field. */
const checks: Readonly<Record<keyof UniverseOptions, OptionRule>> = {
  seed: count,
  clock: oneOf(['real', 'manual']),
  start: text,
  faults: array,
  examples: flag,
  seedData: object,
  quota: count,
  processingTime: (value) => (typeof value === 'number' ? undefined : object(value)),
  patience: count,
  rateLimit: object,
  models: array,
  deployment: object,
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
