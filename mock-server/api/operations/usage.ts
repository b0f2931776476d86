import { usageOf } from '../../domain/usage.ts';
import { usageViewOf } from '../serialize.ts';
import type { Handler } from './answer.ts';

const get: Handler = (_, { context, principal }) => ({
  status: 200,
  body: usageViewOf(usageOf(context, principal.organization)),
});

export const usageHandlers = { getUsage: get };
