import { reject } from '../domain/rejection.ts';
import { problemOf } from './problem.ts';
import { corsHeaders, jsonReply, type Reply } from './reply.ts';

/** Stands for the id of a request that can have none: nothing may be drawn for it. */
export const NO_REQUEST_ID = `req_${'0'.repeat(26)}`;

/** What was done may not be kept: the caller has to ask again. */
export function unavailableReply(): Reply {
  const refusal = reject('unavailable', 'The service cannot keep what it did. Try again later.', {
    retryAfterMs: 1000,
  });
  const { status, body, headers } = problemOf(refusal, NO_REQUEST_ID);
  const common = { 'x-request-id': NO_REQUEST_ID, 'api-version': '2', ...corsHeaders };
  return jsonReply(status, body, { ...common, ...headers }, 'application/problem+json');
}
