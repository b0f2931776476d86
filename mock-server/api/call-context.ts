import type { OperationId } from '../contract.ts';
import type { Context } from '../domain/context.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { Fault, RequestEntry, Role } from '../domain/records.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { Pieces } from './pieces.ts';

/** A deployment's own paths of operations, without a prefix. */
export type Paths = Readonly<Partial<Record<OperationId, string>>>;

export interface Route {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
}

export interface Routes {
  find(method: string, path: string): Route | undefined;
  /** Methods that the path allows; none if the path is unknown. */
  allowed(path: string): string[];
}

export interface ServiceOptions {
  readonly paths?: Paths;
  /** What the deployment does differently from the contract. */
  readonly deployment?: Deployment;
  /** @default 'Authorization' */
  readonly accessTokenHeader?: string;
  /** Path in front of every operation's path, without a version prefix. */
  readonly basePath: string;
  /** Returns the text of the contract, where it can be read. */
  readonly contract: () => string | undefined;
  /** Waits in wall time, for a fault that delays. */
  readonly pause: (ms: number, ...signals: readonly AbortSignal[]) => Promise<void>;
  /** Called for every request, once its response is known. */
  readonly onRequest: (entry: RequestEntry) => void;
  /** Called with unexpected errors. The caller gets a 500 without any details. */
  readonly onError: (error: unknown) => void;
}

/** What all calls have in common. */
export interface Service {
  readonly context: Context;
  readonly options: ServiceOptions;
  readonly routes: Routes;
  /** Idempotency keys of the calls in progress. In memory only, so a crash frees them. */
  readonly runningKeys: Map<string, RunningKey>;
}

/** What a call in progress holds its idempotency key for. */
export interface RunningKey {
  readonly fingerprint: string;
  /** The streamed generation that it has begun. */
  generation?: string;
}

/** The caller, as its credentials identify it. */
export interface Principal {
  readonly kind: 'key' | 'user';
  /** Id of the API key, or `sub` of the token. */
  readonly actor: string;
  readonly role: Role;
  readonly organization: string;
  readonly project: string;
  /** Random stream of the organization. */
  readonly rngStream: number;
}

export interface EventStream {
  readonly body: Pieces;
  /** Resolves once the generation has ended; set for the call that has begun it. */
  readonly ended?: Promise<void>;
}

/** A successful outcome, before it becomes bytes. */
export interface OperationResult {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: object;
  /** Remembered instead of the body: the id of the generation that it was rendered from. */
  readonly generation?: string;
  /** Field of the body that is remembered only in sealed form. */
  readonly secret?: { readonly field: string; readonly sealed: string };
  /** Sent instead of a body: the events of a generation. */
  readonly stream?: EventStream;
  /** Sent instead of a body: a YAML document. */
  readonly yaml?: string;
}

/** A rejection on its way out. `status` is set for an injected fault only; otherwise the code determines it. */
export type CallRejection = Rejection & { readonly status?: number };

/** An idempotency key that this call holds. */
export interface HeldKey {
  /** Call it inside the commit that the response belongs to. */
  remember(response: RememberedResponse): void;
  /** Lets repetitions of the call follow this generation while it runs. */
  streaming(generation: string): void;
  /** Frees the key, whether or not a response was remembered. */
  release(): void;
}

export interface RememberedResponse {
  readonly status: number;
  /** JSON text, without the secret. */
  readonly body?: string;
  /** Id of the generation that a replay is rendered from. */
  readonly generation?: string;
  readonly secret?: { readonly field: string; readonly sealed: string };
}

export type Headers = Readonly<Record<string, string>>;

/** How far a call has come. Each step takes it from one stage to the next. */
export type Stage =
  | 'received'
  | 'no preflight'
  | 'not public'
  | 'authenticated'
  | 'routed'
  | 'authorized'
  | 'within its rate'
  | 'fault taken'
  | 'body read'
  | 'key held'
  | 'delayed'
  | 'valid'
  | 'tenant confirmed';

/** A call and what the steps have found out about it so far. No step changes it: each returns a new one. */
export interface CallContext {
  readonly stage: Stage;
  readonly service: Service;
  readonly request: Request;
  readonly url: URL;
  /** Path of the URL without the base path. */
  readonly path: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  /** Aborted by a reset of the service, after which the call must not write. */
  readonly lifetime: AbortSignal;
  /** Headers that steps add to the response. */
  readonly headers: Headers;
  readonly requestId?: string;
  readonly principal?: Principal;
  readonly route?: Route;
  /** Effect of the injected fault that applies to this call. */
  readonly effect?: Fault['effect'];
  readonly bytes?: Uint8Array;
  readonly idempotencyKey?: string;
  readonly heldKey?: HeldKey;
  /** The body as sent. */
  readonly json?: unknown;
  readonly input?: OperationInput;
  /** Set by the step that decides the call; no later step runs. */
  readonly outcome?: OperationResult | CallRejection;
}

/** What the caller passes to the operation, valid and with the contract's defaults. */
export interface OperationInput {
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: object;
}

type With<Known extends keyof CallContext> = CallContext & Required<Pick<CallContext, Known>>;

export type AuthenticatedCall = With<'requestId' | 'principal'>;
export type RoutedCall = AuthenticatedCall & With<'route'>;
export type ReadCall = RoutedCall & With<'bytes'>;
export type ValidCall = ReadCall & With<'input'>;
export type EndedCall = With<'outcome'>;
export type DecidedCall = With<'requestId' | 'outcome'>;

/** A call that has come exactly as far as the stage. */
export type At<S extends Stage, Call extends CallContext = CallContext> = Call & {
  readonly stage: S;
};

/** What a step returns: the call at the next stage, or the end of it. */
export type Next<Call extends CallContext> = Call | EndedCall | CallRejection;

/** Takes a call from one stage to the next, or ends it. */
export type Step<From extends CallContext, To extends CallContext> = (
  call: From,
) => Next<To> | Promise<Next<To>>;
