import { newId } from '../domain/ids.ts';
import { requestStream } from '../domain/random.ts';
import type { CallContext } from './call-context.ts';

/** Used when no id can be drawn from the service's random streams. */
export const NO_REQUEST_ID = `req_${'0'.repeat(26)}`;

const CALLER_CHOSEN = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id if it sent a valid one; otherwise a new one. */
export function requestIdOf({ service, request, principal, lifetime }: CallContext): string {
  const own = request.headers.get('x-request-id');
  if (own !== null && CALLER_CHOSEN.test(own)) return own;
  // After a reset, the ids belong to the new state: drawing one would make them irreproducible.
  if (lifetime.aborted) return NO_REQUEST_ID;
  return newId(service.context, 'req', requestStream(principal?.rngStream ?? 0));
}
