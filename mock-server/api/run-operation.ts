import type { Hold } from '../domain/holds.ts';
import { isRejection } from '../domain/rejection.ts';
import type { Call, CallOutcome, ReadyCall } from './call.ts';
import { handlers } from './operations/index.ts';
import { type Handler, type Outcome, operationCallOf } from './operations/operation.ts';
import { toOwnPointers } from './validate.ts';

export function runOperation(
  call: Call,
  ready: ReadyCall,
  requestId: string,
  hold?: Hold,
): CallOutcome | Promise<CallOutcome> {
  const { route } = ready.permit;
  const { deployment } = call.service.options;
  const handler = handlers[route.operation] as Handler;
  const toOwn = (outcome: Outcome) =>
    isRejection(outcome) ? toOwnPointers(deployment, route, outcome) : outcome;
  const outcome = handler(operationCallOf(call, ready, requestId, hold));
  return outcome instanceof Promise ? outcome.then(toOwn) : toOwn(outcome);
}
