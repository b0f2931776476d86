import type { Hold } from '../domain/holds.ts';
import { reject } from '../domain/rejection.ts';
import type { Call, CallRejection, ReadyCall } from './call.ts';

export function takeHold(
  { service }: Call,
  { permit }: ReadyCall,
  idempotencyKey: string | undefined,
): Hold | undefined {
  const { principal, route } = permit;
  const { holds } = service.context;
  return holds.take('operation', route.operation, principal.organization, idempotencyKey);
}

/**
 * Waits until the test says how the call goes on; returns the rejection if it is to fail. A generation does not wait
 * here: it begins, and its text waits.
 */
export function standStill(call: Call, hold: Hold): Promise<CallRejection | undefined> | undefined {
  if (hold.target.name === 'generateContent') return undefined;
  hold.begin();
  return hold.next(call.lifetime).then((step) => {
    if (step.kind !== 'fail') return undefined;
    const { code = 'unavailable', message = 'A test failed this call.' } = step.error;
    return reject(code, message);
  });
}
