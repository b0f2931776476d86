import { test } from 'vitest';
import { delayByFault, takeOperationFault } from '../../mock-server/api/apply-fault.ts';
import { authenticate, authorize, confirmTenant } from '../../mock-server/api/authenticate.ts';
import type { At, EndedCall } from '../../mock-server/api/call-context.ts';
import { checkIdempotency } from '../../mock-server/api/idempotency.ts';
import { limitRate } from '../../mock-server/api/rate-limit.ts';
import { readBody } from '../../mock-server/api/read-body.ts';
import {
  findRoute,
  respondToPreflight,
  servePublicDocument,
} from '../../mock-server/api/routes.ts';
import { startOfSteps } from '../../mock-server/api/steps.ts';
import { validate } from '../../mock-server/api/validate.ts';

declare const onError: () => EndedCall;
const open = startOfSteps<At<'received'>>(onError)
  .next(respondToPreflight)
  .next(servePublicDocument);
const known = open.next(authenticate).next(findRoute);
const admitted = known.next(authorize).next(limitRate).next(takeOperationFault);

test('the steps compile in the order of the contract', () => {
  admitted
    .next(readBody)
    .next(checkIdempotency)
    .next(delayByFault)
    .next(validate)
    .next(confirmTenant);
});

test('a step that comes too early does not compile', () => {
  // @ts-expect-error The public documents are open to all only because preflights have been answered.
  startOfSteps<At<'received'>>(onError).next(servePublicDocument);
  // @ts-expect-error Nothing is routed for a caller who is not authenticated.
  open.next(findRoute);
  // @ts-expect-error A role is needed for an operation, so the operation must be known.
  open.next(authenticate).next(authorize);
  // @ts-expect-error A caller without the right role uses up no rate limit.
  known.next(limitRate);
  // @ts-expect-error A fault strikes only calls within the rate limit.
  known.next(authorize).next(takeOperationFault);
  // @ts-expect-error No body is read before the rate limit.
  known.next(authorize).next(readBody);
  // @ts-expect-error The fingerprint of a key needs the body.
  admitted.next(checkIdempotency);
  // @ts-expect-error A replay comes before the validation.
  admitted.next(readBody).next(validate);
  // @ts-expect-error The tenant is confirmed last.
  admitted.next(readBody).next(confirmTenant);
});

test('a step that comes too late, or twice, does not compile', () => {
  // @ts-expect-error Preflights carry no credentials.
  open.next(authenticate).next(respondToPreflight);
  // @ts-expect-error Authentication comes before everything that looks something up.
  admitted.next(readBody).next(authenticate);
  // @ts-expect-error A call takes one token from its bucket.
  known.next(authorize).next(limitRate).next(limitRate);
});
