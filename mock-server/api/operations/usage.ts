import { usageOf } from '../../domain/usage.ts';
import { usageViewOf } from '../serialize.ts';
import type { Handler } from './answer.ts';

const get: Handler = (_, { world, principal }) => ({
  status: 200,
  body: usageViewOf(usageOf(world, principal.organization)),
});

export const usageHandlers = { getUsage: get };
