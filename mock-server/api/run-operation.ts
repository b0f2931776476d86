import { isRejection } from '../domain/rejection.ts';
import type { Next, ValidCall } from './call-context.ts';
import { toRemembered } from './idempotency.ts';
import { handlers } from './operations/index.ts';
import type { Handler, OperationCall } from './operations/operation.ts';
import { callbackFieldOf, toOwnPointers } from './validate.ts';

/** Step: runs the operation. */
export async function runOperation(call: ValidCall): Promise<Next> {
  const handler = handlers[call.route.operation] as Handler;
  const outcome = await handler(operationCallOf(call));
  return {
    ...call,
    outcome: isRejection(outcome) ? toOwnPointers(outcome, callbackFieldOf(call)) : outcome,
  };
}

function operationCallOf(call: ValidCall): OperationCall {
  const { service, principal, route, input, heldKey, idempotencyKey, lifetime } = call;
  const { context, options } = service;

  function write<T>(work: () => T): T {
    lifetime.throwIfAborted();
    return context.store.transaction(work);
  }

  return {
    context,
    principal,
    params: route.params,
    ...input,
    webhookUrlField: options.webhookUrlField ?? 'webhookUrl',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    write,
    commit: (work) =>
      write(() => {
        const result = work();
        const remembered = toRemembered(result);
        if (remembered) heldKey?.remember(remembered);
        return result;
      }),
    rememberStream(generation) {
      heldKey?.remember({ status: 200, stream: generation.id });
    },
  };
}
