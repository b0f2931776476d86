import { usageOf } from '../domain/usage.ts';
import type { Handler } from './answer.ts';
import { usageViewOf } from './serialise.ts';

const get: Handler = (_, { world, principal }) => ({
  status: 200,
  body: usageViewOf(usageOf(world, principal.organization)),
});

export const usageHandlers = { getUsage: get };
