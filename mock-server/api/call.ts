import type { OperationId } from '../contract.ts';
import type { Context } from '../domain/context.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { Fault, Role } from '../domain/records.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { Pieces } from './pieces.ts';

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
  readonly deployment?: Deployment | undefined;
  /** Path in front of every operation's path, without a version prefix. */
  readonly basePath: string;
  readonly contract: () => string | undefined;
  /** Waits in wall time, for a fault that delays. */
  readonly pause: (ms: number, ...signals: readonly AbortSignal[]) => Promise<void>;
  /** Called with unexpected errors. The caller gets a 500 without any details. */
  readonly onError: (error: unknown) => void;
}

export interface Service {
  readonly context: Context;
  readonly options: ServiceOptions;
  readonly routes: Routes;
  /** Idempotency keys of the calls in progress. In memory only, so a crash frees them. */
  readonly runningKeys: Map<string, RunningKey>;
}

export interface RunningKey {
  readonly fingerprint: string;
  /** The streamed generation that it has begun. */
  generation?: string;
}

export interface Call {
  readonly service: Service;
  readonly request: Request;
  readonly url: URL;
  /** Path of the URL without the base path. */
  readonly path: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  /** Aborted by a reset of the service, after which the call must not write. */
  readonly lifetime: AbortSignal;
}

/** What has become known of a call, for its reply and its line in the log. Only `handleRequest` writes it. */
export interface Findings {
  requestId?: string;
  principal?: Principal;
  route?: Route;
  rateHeaders?: Headers | undefined;
  effect?: Fault['effect'] | undefined;
  bytes?: Uint8Array;
  heldKey?: HeldKey | undefined;
  text?: string | undefined;
}

export interface Principal {
  readonly kind: 'key' | 'user';
  /** Id of the API key, or `sub` of the token. */
  readonly actor: string;
  readonly role: Role;
  readonly organization: string;
  readonly project: string;
  readonly rngStream: number;
}

/** A caller who is allowed to call the operation. */
export interface Permit {
  readonly principal: Principal;
  readonly route: Route;
}

/** A permitted call that is within its rate limit. */
export interface Admission {
  readonly permit: Permit;
  readonly rateHeaders: Headers | undefined;
}

/** An admitted call and the bytes of its body. */
export interface ReadCall {
  readonly permit: Permit;
  readonly bytes: Uint8Array;
}

/** An admitted call whose response is not remembered: it has to run. */
export interface NewCall {
  readonly kind: 'new';
  readonly permit: Permit;
  readonly heldKey: HeldKey | undefined;
}

/** What the caller passes to the operation, valid and with the contract's defaults. */
export interface OperationInput {
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: object;
}

export interface ReadyCall {
  readonly permit: Permit;
  readonly heldKey: HeldKey | undefined;
  readonly input: OperationInput;
}

export interface EventStream {
  readonly body: Pieces;
  /** Resolves once the generation has ended; set for the call that has begun it. */
  readonly ended?: Promise<void>;
}

export type Headers = Readonly<Record<string, string>>;

export interface OperationResult {
  readonly status: number;
  readonly headers?: Headers;
  readonly body?: object;
  /** Remembered instead of the body: the id of the generation that it was rendered from. */
  readonly generation?: string;
  /** Field of the body that is remembered only in sealed form. */
  readonly secret?: { readonly field: string; readonly sealed: string };
  readonly stream?: EventStream;
  readonly yaml?: string;
}

export interface CallRejection extends Rejection {
  /** Set for an injected fault only; otherwise the code determines it. */
  readonly status?: number;
  readonly headers?: Headers | undefined;
}

export type CallOutcome = OperationResult | CallRejection;

export interface HeldKey {
  readonly key: string;
  /** Call it inside the commit that the response belongs to. */
  remember(response: RememberedResponse): void;
  /** Lets repetitions of the call follow this generation while it runs. */
  streaming(generation: string): void;
  release(): void;
}

export interface RememberedResponse {
  readonly status: number;
  readonly body?: string;
  readonly generation?: string;
  readonly secret?: { readonly field: string; readonly sealed: string };
}
