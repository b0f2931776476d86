import type { ContentGenError } from '../errors.ts';
import type { CallOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { ApiPromise } from './api-promise.ts';
import { toError } from './failure.ts';
import { requestIdOf } from './parse.ts';
import { type CallInput, makeCall } from './request.ts';
import { type Answer, send, type Transport } from './send.ts';

/** Makes the calls of the resources: sends at once and shapes the answer, which is taken as it is by default. */
export interface Caller {
  <T>(
    operation: OperationId,
    options: CallOptions | undefined,
    input?: CallInput,
    shape?: (answer: Answer) => T,
  ): ApiPromise<T>;
  readonly transport: Transport;
  open(
    operation: OperationId,
    options: CallOptions | undefined,
    input?: CallInput,
  ): Promise<Answer>;
}

export function createCaller(transport: Transport): Caller {
  // Async, so that misuse rejects instead of throwing out of a method that gives a promise.
  const open: Caller['open'] = async (operation, options, input = {}) =>
    send(transport, makeCall(transport.options, operation, options, input));
  const call = <T>(
    operation: OperationId,
    options: CallOptions | undefined,
    input?: CallInput,
    shape: (answer: Answer) => T = (answer) => answer.data as T,
  ) =>
    new ApiPromise(async () => {
      const answer = await open(operation, options, input);
      return { data: shape(answer), answer };
    });
  return Object.assign(call, { transport, open });
}

/** The error of an answer that lacks what the contract promises. */
export function unexpected({ call, response, attempts }: Answer, what: string): ContentGenError {
  return toError(
    {
      code: 'invalid_response',
      status: response.status,
      requestId: requestIdOf(response),
      hint: `The answer ${what}: check that baseUrl names the service.`,
    },
    { operation: call.operation, idempotencyKey: call.idempotencyKey, attempts },
  );
}
