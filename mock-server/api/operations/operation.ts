import type { OperationId } from '../../contract.ts';
import type { Context } from '../../domain/context.ts';
import type { Deployment } from '../../domain/deployment.ts';
import type { Hold } from '../../domain/holds.ts';
import type { Generation } from '../../domain/records.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { OperationInput, OperationResult, Principal } from '../call.ts';

export type Outcome = OperationResult | Rejection;

/** What an operation receives of a call that has passed every check. */
export interface OperationCall<Body extends object = object> extends OperationInput {
  readonly context: Context;
  readonly principal: Principal;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Chosen by the caller, so anything in it that looks like a secret is redacted. */
  readonly requestId: string;
  readonly idempotencyKey?: string;
  /** What holds the generation that the call begins. */
  readonly hold?: Hold;
  /** Aborts when the caller leaves and no retry can ask for the response: undefined with an idempotency key. */
  readonly abandoned?: () => AbortSignal;
  /** What the deployment does differently from the contract. */
  readonly deployment: Deployment | undefined;
  /** The number in `Last-Event-ID`; 0 without one. */
  readonly lastEventId: number;
  /** Whether the caller accepts server-sent events. */
  readonly wantsEvents: boolean;
  /** Lets repetitions of the call follow this generation while it runs. */
  streaming(generation: string): void;
  /** Writes in one transaction. Nothing is remembered for the idempotency key. */
  write<T>(work: () => T): T;
  /** Writes in one transaction, together with the entry for the idempotency key. */
  commit(work: () => Outcome): Outcome;
  /** Remembers that the response was this generation's stream. Call it inside `write`. */
  rememberStream(generation: Generation): void;
}

export type Handler<Body extends object = object> = (
  call: OperationCall<Body>,
) => Outcome | Promise<Outcome>;

export type Handlers = { readonly [Id in OperationId]: Handler<never> };

/** A body in which the fields with a default are always present: validation fills them in. */
export type WithDefaults<Body, Field extends keyof Body> = Body & Required<Pick<Body, Field>>;
