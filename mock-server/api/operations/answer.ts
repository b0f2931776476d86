import type { OperationId } from '../../contract.ts';
import type { Context } from '../../domain/context.ts';
import type { Generation } from '../../domain/records.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { Principal } from '../principal.ts';

/** What an operation says, before it becomes bytes. */
export interface Answer {
  readonly status: number;
  readonly body?: object;
  /** Member of the body that is remembered sealed alone. */
  readonly secret?: { readonly field: string; readonly sealed: string };
  /** In place of a body: the events of a generation. */
  readonly stream?: EventStream;
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Settles once nothing comes any more. */
  readonly ended: Promise<void>;
}

/** A call whose caller may make it. */
export interface OperationInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number>>;
  /** As the contract's schema has it, defaults filled in. */
  readonly body: object;
  readonly idempotencyKey?: string;
}

export interface CallContext {
  readonly context: Context;
  readonly principal: Principal;
  /** How this deployment calls `webhookUrl`. */
  readonly webhookUrlField: string;
  /** Writes in one transaction, nothing of it remembered. */
  write<T>(work: () => T): T;
  /** Writes in one transaction together with the answer's idempotency entry. */
  commit(work: () => Answer | Rejection): Answer | Rejection;
  /** Remembers, inside a `write`, that the answer was this generation's stream. */
  rememberStream(generation: Generation): void;
}

/** One operation: a call in, an answer or a refusal out. */
export type Handler<Body extends object = object> = (
  input: Omit<OperationInput, 'body'> & { readonly body: Body },
  call: CallContext,
) => Answer | Rejection | Promise<Answer | Rejection>;

export type Handlers = { readonly [Id in OperationId]: Handler<never> };
