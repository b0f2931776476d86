import { ParseError } from '../errors.ts';
import { ApiPromise } from './api-promise.ts';
import { type CallInput, makeCall } from './request.ts';
import { type Answer, send, type Transport } from './send.ts';

/** Makes the calls of the resources. */
export interface Caller {
  readonly transport: Transport;
  /** Sends and shapes the answer; `shape` may throw through `unexpected`. */
  call<T>(
    input: CallInput,
    shape: (data: object, answer: Answer) => T,
    lazy?: boolean,
  ): ApiPromise<T>;
  open(input: CallInput): Promise<Answer>;
}

export function createCaller(transport: Transport): Caller {
  // Async, so that misuse rejects instead of throwing out of a method that gives a promise.
  const open = async (input: CallInput) => send(transport, makeCall(transport.options, input));
  return {
    transport,
    open,
    call: (input, shape, lazy) =>
      new ApiPromise(async () => {
        const answer = await open(input);
        return { data: shape(answer.data ?? {}, answer), answer };
      }, lazy),
  };
}

/** The error of an answer that lacks what the contract promises. */
export function unexpected(answer: Answer, what: string): ParseError {
  const { call, response, attempts } = answer;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new ParseError(
    `Failed to call ${call.operation ?? 'the service'}: the answer ${what}. Check that baseUrl names the service.`,
    {
      code: 'invalid_response',
      status: response.status,
      attempts,
      ...(call.operation && { operation: call.operation }),
      ...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey }),
      ...(requestId !== undefined && { requestId }),
    },
  );
}
