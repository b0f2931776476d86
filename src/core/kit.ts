import { GenerationFailedError } from '../errors.ts';
import { routes } from '../generated/routes.ts';
import { checkCallOptions } from '../options.ts';
import { Call } from './call.ts';
import { unexpected } from './caller.ts';
import { createScope } from './deadline.ts';
import { toError } from './failure.ts';
import { parseJson } from './parse.ts';
import { createRequester } from './request.ts';
import { parseRetryAfter } from './retry.ts';
import { send } from './send.ts';

/**
 * What the parts that load with their first use need of the rest. They are handed it: what they imported instead, a
 * bundler would put into a chunk of its own, and the lists of its names into every page. `unpack` names it again there.
 */
export const kit = [
  Call,
  GenerationFailedError,
  checkCallOptions,
  createRequester,
  createScope,
  parseJson,
  parseRetryAfter,
  routes,
  send,
  toError,
  unexpected,
] as const;

export type PackedKit = typeof kit;
