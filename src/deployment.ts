import { routes } from './generated/routes.ts';
import * as rules from './options/rules.ts';
import type { OperationId } from './types.ts';

/** One of these values. Any string compiles, because TypeScript reads the strings of a JSON file as `string`. */
type OneOf<Value extends string> = Value | (string & Record<never, never>);

/** What the text of a signing secret stands for. */
export type SecretEncoding = 'whsec' | 'utf8' | 'hex' | 'base64';

/** How a deployment authenticates its deliveries. */
export interface SchemeData {
  /**
   * `standard`: Standard Webhooks. `plain-hmac`: an HMAC of the body. `token`: the secret itself, in a header.
   */
  readonly type: OneOf<'standard' | 'plain-hmac' | 'token'>;
  /** `plain-hmac`: the hash function. @default 'sha256' */
  readonly algorithm?: OneOf<'sha256' | 'sha512'>;
  /** `plain-hmac`: how the digest is written. @default 'hex' */
  readonly encoding?: OneOf<'hex' | 'base64'>;
  /** `plain-hmac`: text in front of the digest, such as `sha256=`. @default '' */
  readonly prefix?: string;
  /** `plain-hmac` and `token`: the header. @default 'X-Service-Signature'; 'X-Service-Token' for a token */
  readonly header?: string;
  /** `plain-hmac`: whether deliveries carry `webhook-id` and `webhook-timestamp`. @default true */
  readonly envelopeHeaders?: boolean;
}

/**
 * What a deployment of the service does differently from the contract: the content of a `deployment.json`. The client,
 * the receiver and the reference server take the same one.
 */
export interface Deployment {
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
  /** How deliveries are authenticated: data, or a scheme such as `plainHmac()`. @default { type: 'standard' } */
  readonly scheme?:
    | SchemeData
    | {
        /** Signs a delivery. */
        readonly sign: (input: never) => unknown;
      };
  /** What the text of a signing secret stands for. @default 'whsec' */
  readonly secretEncoding?: OneOf<SecretEncoding>;
  /** Our name of a field → theirs, in requests, responses and callbacks; a dot starts a member of an object. */
  readonly fields?: { readonly [ours: string]: string };
  /** The member that holds the body of each successful response and of each callback. @default none */
  readonly wrap?: string;
  /** Our status of a generation → their word. */
  readonly statuses?: { readonly [ours: string]: string };
  /** The operations that do not exist. */
  readonly absent?: readonly OneOf<OperationId>[];
  /** The header of the idempotency key; `false` if there is none. @default 'Idempotency-Key' */
  readonly idempotency?: string | boolean;
  /** What `contentgen conform` found, and when. Only `contentgen conform --check` reads it. */
  readonly conformance?: {
    /** When, RFC 3339. */
    readonly date: string;
    /** The version of this package. */
    readonly version: string;
    /** The id of each clause → its verdict. */
    readonly verdicts: { readonly [clause: string]: string };
  };
}

/** Translates what is sent into the names of a deployment, and what arrives into ours. */
export interface Translation {
  query(operation: OperationId, query: object | undefined): object | undefined;
  request(operation: OperationId, body: RequestBody): RequestBody;
  response(operation: OperationId | undefined, body: unknown): unknown;
}

type RequestBody = object | null | undefined;

export const isHeaderName = rules.matches(/^[!#$%&'*+.^_`|~\w-]+$/);
export const headerName = rules.mustBe('a header name', isHeaderName);
export const fieldName = rules.mustBe('a field name', rules.matches(/./s));

/** The placeholders of a path, sorted and joined. */
function placeholdersOf(template: string): string {
  return (template.match(/\{.+?\}/g) ?? []).sort().join();
}

function isPathOf(path: unknown, id: string): boolean {
  return (
    rules.matches(/^\/[^?#\s]*$/)(path) &&
    placeholdersOf(path) === placeholdersOf(routes[id as OperationId])
  );
}

export const isOperation = (id: unknown) => Object.hasOwn(routes, id as string);

export const paths = rules.mustBe(
  'an object of operation ids and paths with the same placeholders',
  rules.recordOf(isOperation, isPathOf),
);
