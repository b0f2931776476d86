import type { AbsentField, FieldName } from './generated/names.ts';
import { mustBe } from './options/rules.ts';
import type { Scheme } from './scheme-port.ts';
import type { OperationId } from './types.ts';

// What the client, the receiver and the reference server know of a deployment. They import no code of it: the value
// that `defineDeployment()` returns brings its own.

/** One of these values. Any string compiles, because TypeScript reads the strings of a JSON file as `string`. */
type OneOf<Value extends string> = Value | (string & Record<never, never>);

/** What the text of a signing secret stands for. */
export type SecretEncoding = 'whsec' | 'utf8' | 'hex' | 'base64';

/** How a deployment authenticates its deliveries. */
export interface SchemeData {
  /**
   * `standard`: Standard Webhooks. `hmac`: any other HMAC. `token`: the secret itself, in a header; pass it as `token`.
   */
  readonly type: OneOf<'standard' | 'hmac' | 'token'>;
  /** `hmac`: the hash function. @default 'sha256' */
  readonly algorithm?: OneOf<'sha256' | 'sha512' | 'sha1'>;
  /** `hmac`: how the digest is written; hex verifies in either case. @default 'hex' */
  readonly encoding?: OneOf<'hex' | 'base64' | 'base64url'>;
  /** `hmac` and `token`: the header. @default 'X-Service-Signature'; 'X-Service-Token' for a token */
  readonly header?: string;
  /** `hmac`: what is signed, such as `{timestamp}.{body}`. A signed timestamp is always held to the tolerance. @default '{body}' */
  readonly signs?: string;
  /** `hmac`: the value of the header, such as `sha256={signature}` or `t={timestamp},v1={signature}`. @default '{signature}' */
  readonly format?: string;
  /** `hmac`: the header of the time, unless `format` contains it. @default none */
  readonly timestampHeader?: string;
  /** `hmac`: seconds or milliseconds. @default 's' */
  readonly timestampUnit?: OneOf<'s' | 'ms'>;
  /** `hmac`: the header of the delivery's id. @default none */
  readonly idHeader?: string;
  /** `token`: what stands before the secret, such as `Bearer `. @default '' */
  readonly prefix?: string;
}

/** What a service does differently from the contract: the content of a `deployment.json`. */
export interface DeploymentJson {
  /** For editors: `./node_modules/contentgen/deployment.schema.json`. */
  readonly $schema?: string;
  /** The address of the service: `https://host` or `https://host/v2`. */
  readonly baseUrl?: string;
  /** The operations that have another path, with the placeholders of the original. */
  readonly paths?: { readonly [Id in OperationId]?: string };
  /** Name of the callback field; the same as `fields.webhookUrl`. @default 'webhookUrl' */
  readonly webhookUrlField?: string;
  /** Header of the access token. @default 'Authorization' */
  readonly accessTokenHeader?: string;
  /** Header of a registration's token. @default 'X-Service-Token' */
  readonly tokenHeader?: string;
  /** Our event type → the name that this deployment sends. */
  readonly eventNames?: { readonly [type: string]: string };
  /** How deliveries are authenticated. @default { type: 'standard' } */
  readonly scheme?: SchemeData;
  /** What the text of a signing secret stands for. @default 'whsec' */
  readonly secretEncoding?: OneOf<SecretEncoding>;
  /**
   * Our name of a field → theirs, in requests, responses, callbacks and events. A dot starts a member of an object; the
   * name of a schema in front limits it to that schema: `'ApiKey.id': 'key_id'`.
   */
  readonly fields?: { readonly [ours in FieldName]?: string };
  /** The member that holds the body of each successful response and of each callback. @default none */
  readonly wrap?: string;
  /** Our status of a generation → their word. */
  readonly statuses?: { readonly [ours: string]: string };
  /** Where code and message of an error are in its body; `false` if bodies say nothing. @default RFC 9457 */
  readonly errors?:
    | boolean
    | {
        /** The path of the code. */
        readonly code?: string;
        /** The path of the message. */
        readonly message?: string;
      };
  /**
   * What does not exist: operations, `stream`, fields of requests (`generateContent.model`) and of schemas
   * (`ApiKey.hint`).
   */
  readonly absent?: readonly OneOf<OperationId | 'stream' | AbsentField>[];
  /** The header of the idempotency key; `false` if there is none. @default 'Idempotency-Key' */
  readonly idempotency?: string | boolean;
}

/** A schema in both languages. */
export interface OwnNames {
  /** Field → what it holds: a nested schema, a list of one, or a kind of value. */
  readonly fields: ReadonlyMap<string, string>;
  /** The fields whose name or place differs. */
  readonly renamings: readonly {
    readonly ours: readonly string[];
    readonly theirs: readonly string[];
  }[];
  /** Paths that the service does not have. */
  readonly absent: readonly (readonly string[])[];
}

type Body = object | null | undefined;

/** Translates what the client and a receiver send into the names of a service, or what a service sends. */
export interface ToTheirs {
  query<T extends object | undefined>(operation: OperationId, query: T): T;
  /** @throws TypeError for a field that the service does not have */
  request(operation: OperationId, body: Body): Body;
  response(operation: OperationId, body: object): object;
  /** The data of an event of a stream: `delta`, `completed` and so on. */
  streamEvent(type: string, data: object): object;
  payload(payload: object): object;
  /** The body of an error, from a problem document; `undefined` if bodies say nothing. */
  problem(operation: OperationId | undefined, problem: object): object | undefined;
}

/** Translates what arrives from a service into our names. What is not as expected stays as it is. */
export interface ToOurs {
  status(word: string): string | undefined;
  /** The body in our names, and the top-level names in it that the service does not have. */
  request(operation: OperationId, body: unknown): { body: unknown; unknown: readonly string[] };
  response(operation: OperationId | undefined, body: unknown): unknown;
  streamEvent(type: string, data: unknown): unknown;
  payload(payload: unknown): unknown;
  /** A problem document, as far as the body is one. */
  problem(operation: OperationId | undefined, body: unknown): unknown;
}

/** What `defineDeployment` returns. Client, receiver, reference server and commands take the same one. */
export interface Deployment {
  /** What it was defined by. */
  readonly json: DeploymentJson;
  /** The header of an access token, in lower case; `undefined` for that of the contract. */
  readonly accessTokenHeader: string | undefined;
  /** The header of a registration's token. */
  readonly tokenHeader: string;
  /** What stands before the token. */
  readonly tokenPrefix: string;
  /** The header of the idempotency key; `undefined` if there is none. */
  readonly idempotencyHeader: string | undefined;
  /** How deliveries are signed. */
  readonly scheme: Scheme;
  /** Whether the service has an operation, `stream`, or a field such as `generateContent.model`. */
  has(what: string): boolean;
  /** Where the fields of a schema are; `undefined` for a schema that is no body. */
  names(schema: string): OwnNames | undefined;
  /** Whether the response of an operation, or each item of a list, has a field of the contract. */
  promises(operation: OperationId, field: string): boolean;
  /** The path of an operation, if it is not that of the contract. */
  path(operation: OperationId): string | undefined;
  /** Their name of a field of the request of a generation. */
  requestField(name: string): string;
  /** Into the names of the service. */
  readonly toTheirs: ToTheirs;
  /** Into our names. */
  readonly toOurs: ToOurs;
  /** What it was defined by, for `JSON.stringify`. */
  toJSON(): DeploymentJson;
}

// Looked up, not kept: bundlers drop it where nothing needs it. It recognizes the values of other copies of the package.
export const deploymentBrand = (): symbol => Symbol.for('contentgen.deployment');

/** A rule: what `defineDeployment()` returns. */
export const deploymentRule = /* @__PURE__ */ mustBe(
  'what defineDeployment() of contentgen/deployment returns',
  (value) => Object(value)[deploymentBrand()] === true,
);
