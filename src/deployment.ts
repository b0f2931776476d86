import { routes } from './generated/routes.ts';
import * as rules from './option-rules.ts';
import type { OperationId } from './types.ts';

/** One of these values. Any string compiles, because TypeScript reads the strings of a JSON file as `string`. */
type OneOf<Value extends string> = Value | (string & Record<never, never>);

/** What the text of a signing secret stands for. */
export type SecretEncoding = 'whsec' | 'utf8' | 'hex' | 'base64';

/** How a deployment authenticates its deliveries. */
export interface SchemeData {
  /**
   * `standard`: Standard Webhooks. `plain-hmac`: an HMAC of the body. `token`: the secret itself, in a header.
   * `ed25519`: Standard Webhooks with a public key.
   */
  readonly type: OneOf<'standard' | 'plain-hmac' | 'token' | 'ed25519'>;
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

export const isHeaderName = rules.matches(/^[!#$%&'*+.^_`|~\w-]+$/);
export const headerName = rules.mustBe('a header name', isHeaderName);
const fieldName = rules.mustBe('a field name', rules.matches(/./s));
const isFieldPath = rules.matches(/^(?!.*__proto__)[^.]+(\.[^.]+)*$/);

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

const isOperation = (id: unknown) => Object.hasOwn(routes, id as string);

/** Which operations have a field, by the first part of its name. Callbacks count as `WebhookContent`. */
const owners: readonly (readonly [operations: RegExp, names: string])[] = [
  [
    /Content$|Generations?$/,
    'prompt model maxTokens temperature seed stream metadata webhookUrl requestId result usage error completedAt',
  ],
  [/ApiKey/, 'key role hint expiresAt lastUsedAt revokedAt createdBy regeneratedFrom'],
  [
    /ebhook|eliver|Secret/,
    'event url secret token threshold description quota occurredAt periodStart periodEnd invoice source reason records updatedAt',
  ],
  [/./, 'id name status organization project createdAt data nextCursor'],
];
const callback = 'WebhookContent';

const ownerOf = (name: string) =>
  owners.find(([, names]) => names.split(' ').includes(name.split('.', 1)[0] as string))?.[0];

/** A record whose values are all different: two of our names for one of theirs could not be told apart. */
export function namesFor(isName: (name: string) => boolean, isValue: (value: unknown) => boolean) {
  const isRecord = rules.recordOf(isName, isValue);
  return (record: unknown) =>
    isRecord(record) &&
    new Set(Object.values(record as object)).size === Object.keys(record as object).length;
}

/** The rules of what the client reads. */
export const clientRules = {
  baseUrl: rules.mustBe('an http or https URL', rules.matches(/^https?:\/\/[^\s?#]+$/i)),
  paths: rules.mustBe(
    'an object of operation ids and paths with the same placeholders',
    rules.recordOf(isOperation, isPathOf),
  ),
  webhookUrlField: fieldName,
  accessTokenHeader: headerName,
  fields: rules.mustBe(
    'an object of field names of the contract and different names',
    namesFor((name) => isFieldPath(name) && ownerOf(name) !== undefined, isFieldPath),
  ),
  wrap: fieldName,
  statuses: rules.mustBe(
    'an object of processing, completed, failed and canceled with different words',
    namesFor(rules.matches(/^(processing|completed|failed|canceled)$/), rules.isText),
  ),
  absent: rules.listOf('operation ids', isOperation),
  idempotency: rules.mustBe(
    'false or a header name',
    (value) => value === false || isHeaderName(value),
  ),
} satisfies Partial<rules.OptionRules<Deployment>>;

/** The rules of the options that a deployment shares with the client. */
export const { paths, webhookUrlField, accessTokenHeader } = clientRules;

/** What is wrong with a deployment, as the rest of a sentence. */
export const mistakeIn = (
  value: unknown,
  fieldRules: Readonly<Record<string, rules.OptionRule>>,
) => {
  const words = { whole: 'it', unknown: 'unknown field' };
  const mistake = rules.optionMistake(value, fieldRules, words);
  return mistake && `is not valid: ${mistake}`;
};

const anything: rules.OptionRule = () => undefined;

/** What is wrong with a deployment for the client: fields that it does not read can have any value. */
export const clientDeploymentRule: rules.OptionRule = (value) =>
  mistakeIn(value, {
    ...clientRules,
    $schema: anything,
    tokenHeader: anything,
    eventNames: anything,
    scheme: anything,
    secretEncoding: anything,
    conformance: anything,
  } satisfies rules.OptionRules<Deployment>);

/** The names of a deployment, in the form in which bodies are translated. */
export type Names = Pick<Deployment, 'fields' | 'wrap' | 'statuses' | 'webhookUrlField'>;

type Json = Record<string, unknown>;
type Renaming = readonly (readonly [from: string, to: string])[];

/** Translates the body of a request of an operation, or of a response or callback of a server that plays a deployment. */
export function toTheirs<T>(names: Names, operation: string, body: T): T {
  if (!rules.isObject(body)) return body;
  const copy = JSON.parse(JSON.stringify(body));
  translate(copy, renamingFor(names, operation), names.statuses, operation);
  return copy;
}

/** The body of a response of an operation in our names. The body is changed. */
export function toOurs(names: Names, operation: string | undefined, body: unknown): unknown {
  const { wrap = '', statuses = {} } = names;
  const inner = Object(body)[wrap];
  const whole = rules.isObject(inner) ? inner : body;
  if (!rules.isObject(whole) || !operation) return whole;
  const renaming = renamingFor(names, operation).map(([ours, theirs]) => [theirs, ours] as const);
  const words = Object.fromEntries(Object.entries(statuses).map((entry) => entry.reverse()));
  translate(whole, renaming, words, operation);
  return whole;
}

/** What a deployment responds for one of our bodies. */
export const responseToTheirs = <T extends object>(names: Names, operation: string, body: T): T =>
  wrapped(names, toTheirs(names, operation, body));

/** What a deployment posts for one of our payloads. */
export const payloadToTheirs = <T extends object>(names: Names, payload: T): T =>
  responseToTheirs(names, callback, payload);

/** Our payload of what a deployment posted. */
export const payloadToOurs = (names: Names, payload: unknown): unknown =>
  toOurs(names, callback, payload);

/** Puts a body into the member that holds every body. */
const wrapped = <T extends object>({ wrap }: Names, body: T): T =>
  wrap ? ({ [wrap]: body } as T) : body;

/** Our name of each field that an operation has → theirs. */
export function renamingFor({ fields, webhookUrlField }: Names, operation: string): Renaming {
  const all = { ...fields, ...(webhookUrlField && { webhookUrl: webhookUrlField }) };
  return Object.entries(all).filter(([ours]) => ownerOf(ours)?.test(operation));
}

/** Renames the fields of a body, and of each row if it is a page. */
function translate(
  body: Json,
  renaming: Renaming,
  words: Readonly<Record<string, string>> = {},
  operation: string,
): void {
  const word = (status: unknown) =>
    typeof status === 'string' && owners[0]?.[0].test(operation)
      ? (words[status] ?? status)
      : status;
  if ('status' in body) body['status'] = word(body['status']);
  const taken = renaming.map(([from, to]) => [to, take(body, from.split('.'))] as const);
  for (const [to, value] of taken) {
    if (value !== undefined) put(body, to.split('.'), to === 'status' ? word(value) : value);
  }
  const { data } = body;
  if (Array.isArray(data)) {
    for (const row of data) if (rules.isObject(row)) translate(row, renaming, words, operation);
  }
}

/** Removes a value, and the objects that it leaves empty. */
function take(body: Json, [name = '', ...rest]: readonly string[]): unknown {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (rest.length === 0) {
    delete body[name];
    return value;
  }
  if (!rules.isObject(value)) return undefined;
  const found = take(value, rest);
  if (found !== undefined && Object.keys(value).length === 0) delete body[name];
  return found;
}

function put(body: Json, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) body[name] = value;
  else {
    const inner = body[name];
    const member = rules.isObject(inner) ? inner : {};
    put(member, rest, value);
    body[name] = member;
  }
}
