import { test } from 'vitest';
import { takeOperationFault } from '../../mock-server/api/apply-fault.ts';
import { authorize } from '../../mock-server/api/authenticate.ts';
import type {
  Admission,
  Call,
  NewCall,
  Permit,
  Principal,
  ReadCall,
  ReadyCall,
  Route,
} from '../../mock-server/api/call.ts';
import { claimKey, type Repetition } from '../../mock-server/api/idempotency.ts';
import { limitRate } from '../../mock-server/api/rate-limit.ts';
import { type ParsedBody, readBody } from '../../mock-server/api/read-body.ts';
import { findRoute } from '../../mock-server/api/routes.ts';
import { runOperation } from '../../mock-server/api/run-operation.ts';
import { validate } from '../../mock-server/api/validate.ts';
import type { Rejection } from '../../mock-server/domain/rejection.ts';

declare const call: Call;
declare const principal: Principal;
declare const route: Route;
declare const permit: Permit;
declare const admission: Admission;
declare const read: ReadCall;
declare const fresh: NewCall;
declare const parsed: ParsedBody;
declare const ready: ReadyCall;

test('each step takes what the step before it returned', () => {
  findRoute(call, principal);
  authorize(call, principal, route);
  limitRate(call, permit);
  takeOperationFault(call, admission);
  readBody(call, admission);
  claimKey(call, read, undefined);
  validate(call, fresh, parsed);
  runOperation(call, ready, 'req_1');
});

test('a step that comes too early does not compile', () => {
  // @ts-expect-error Nothing is routed for a caller who is not authenticated.
  findRoute(call, undefined);
  // @ts-expect-error A role is needed for an operation, so the operation must be known.
  authorize(call, principal, undefined);
  // @ts-expect-error A caller without the right role uses up no rate limit.
  limitRate(call, principal);
  // @ts-expect-error A fault applies only to calls within the rate limit.
  takeOperationFault(call, permit);
  // @ts-expect-error No body is read before the rate limit.
  readBody(call, permit);
  // @ts-expect-error The fingerprint of a key needs the body.
  claimKey(call, admission, 'key');
  // @ts-expect-error A replay comes before the validation.
  validate(call, read, parsed);
  // @ts-expect-error An operation runs only after every check.
  runOperation(call, fresh, 'req_1');
});

test('a rejection, or a call that is replayed, goes no further', () => {
  // @ts-expect-error Rejected by authentication.
  findRoute(call, principal as Principal | Rejection);
  // @ts-expect-error Rejected by its role.
  limitRate(call, permit as Permit | Rejection);
  // @ts-expect-error Rejected by its rate limit.
  readBody(call, admission as Admission | Rejection);
  // @ts-expect-error Replayed.
  validate(call, fresh as NewCall | Repetition, parsed);
});
