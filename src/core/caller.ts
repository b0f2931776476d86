import type { ContentGenError } from '../errors.ts';
import type { CallOptions, ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { ApiPromise } from './api-promise.ts';
import { toError } from './failure.ts';
import { failureOf } from './parse.ts';
import { type CallInput, createOpen, type OpenCall } from './request.ts';
import type { Answer } from './send.ts';

/** Makes the calls of the resources: sends at once and shapes the answer, which is taken as it is by default. */
export interface Caller {
  <T>(
    operation: OperationId,
    options: CallOptions | undefined,
    input?: CallInput,
    shape?: (answer: Answer) => T,
  ): ApiPromise<T>;
  readonly options: ResolvedOptions;
  readonly open: OpenCall;
}

export function createCaller(options: ResolvedOptions): Caller {
  const open = createOpen(options);
  const call = <T>(
    operation: OperationId,
    callOptions: CallOptions | undefined,
    input?: CallInput,
    shape: (answer: Answer) => T = (answer) => answer.body as T,
  ) =>
    new ApiPromise(async () => {
      const answer = await open(operation, callOptions, input);
      return { data: shape(answer), answer };
    });
  return Object.assign(call, { options, open });
}

/** The error of an answer that lacks what the contract promises. */
export function unexpected({ call, response, attempts }: Answer, what: string): ContentGenError {
  return toError(
    failureOf(
      response,
      'invalid_response',
      `The answer ${what}. Check that baseUrl and paths name the service.`,
    ),
    call,
    attempts,
  );
}
