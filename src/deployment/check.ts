import type { DeploymentJson, SchemeData } from '../deployment-port.ts';
import { bodies, callbacks, generationStatuses, payloads, schemas } from '../generated/names.ts';
import { routes } from '../generated/routes.ts';
import { optionMistake } from '../options/check-options.ts';
import { didYouMean } from '../options/did-you-mean.ts';
import * as rules from '../options/rules.ts';
import { isObject, isText } from '../options/values.ts';
import type { OperationId } from '../types.ts';
import { isFormat } from './header-format.ts';
import { fieldNames, isKnownField, segments } from './names.ts';

const words = { whole: 'it', unknown: 'unknown field' };

/** Longer names would be nested or repeated without end. */
const MOST_CHARS = 255;
const isShort = (value: unknown): value is string => isText(value) && value.length <= MOST_CHARS;

/** A name or path of theirs. `__proto__` is none: put into an object, it would change what the object is. */
const isName = (value: unknown): value is string =>
  isShort(value) &&
  segments(value).every((segment) => segment !== '' && segment.trim() !== '__proto__');

const isWord = (value: unknown): value is string => isShort(value) && value.trim() !== '__proto__';
const headerName = rules.mustBe(
  'a header name',
  rules.matches(/^(?!__proto__$)[!#$%&'*+.^_`|~\w-]{1,255}$/),
);
/** Headers that say something else, those of a connection among them. */
const taken =
  /^(x-api-key|content-(type|length|encoding)|host|user-agent|accept|x-request-id|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/i;
const ownHeader: rules.OptionRule = (value) =>
  headerName(value) ??
  (taken.test(`${value}`)
    ? `cannot be ${value}: that header has another use. Choose another one.`
    : undefined);
const fieldName = rules.mustBe('a field name', isName);

const isOperation = (id: unknown): id is OperationId =>
  typeof id === 'string' && Object.hasOwn(routes, id);

const templateOf = (id: OperationId): string => routes[id].split(' ')[1] ?? '';

const placeholdersOf = (template: string): string =>
  (template.match(/\{\w+\}/g) ?? []).sort().join();

/** Segments of visible ASCII and placeholders; no `.` or `..`, which a URL resolves. */
const pathPattern = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|\{\w+\})+)+$/;

/** The one rule for paths: the client, the schema of the file and the reference server take the same. */
function isPathOf(path: unknown, id: string): boolean {
  if (!rules.matches(pathPattern)(path) || /\}\{/.test(path)) return false;
  return placeholdersOf(path) === placeholdersOf(routes[id as OperationId]);
}

/** A record whose values are all different: two of our names for one of theirs could not be told apart. */
function differentWords(names: readonly string[]) {
  const isRecord = rules.recordOf((name) => names.includes(name), isWord);
  return (record: unknown) => {
    if (!isRecord(record)) return false;
    const given = new Map(Object.entries(record as Record<string, string>));
    return new Set(names.map((name) => given.get(name) ?? name)).size === names.length;
  };
}

const signs =
  /^(?=.*\{body\})(?!.*\{body\}.*\{body\})(?:[!-z|~]|\{(?:body|id|timestamp)\}){1,128}$/;

const schemeRules: rules.OptionRules<SchemeData> = {
  type: rules.oneOf(['standard', 'hmac', 'token']),
  algorithm: rules.oneOf(['sha256', 'sha512', 'sha1']),
  encoding: rules.oneOf(['hex', 'base64', 'base64url']),
  header: ownHeader,
  signs: rules.mustBe('text such as {timestamp}.{body}', rules.matches(signs)),
  format: rules.mustBe(
    'text such as t={timestamp},v1={signature}',
    (value) => typeof value === 'string' && isFormat(value),
  ),
  timestampHeader: ownHeader,
  timestampUnit: rules.oneOf(['s', 'ms']),
  idHeader: ownHeader,
  prefix: rules.mustBe('up to 64 visible ASCII characters', rules.matches(/^[ -~]{0,64}$/)),
};
const fieldsOfScheme = new Map([
  ['standard', /^type$/],
  ['token', /^(type|header|prefix)$/],
  ['hmac', /^(?!prefix$)/],
]);

const scheme: rules.OptionRule = (value) => {
  const mistake = optionMistake(value, schemeRules, words);
  const given = Object(value) as SchemeData;
  const { type, header, signs = '', format = '', timestampHeader, idHeader } = given;
  if (mistake || type === undefined) return `is not valid: ${mistake ?? 'type is missing.'}`;
  const fields = fieldsOfScheme.get(type);
  const extra = Object.keys(value as object).find((name) => !fields?.test(name));
  if (extra) return `is not valid: the type ${type} has no ${extra}.`;
  const headers = [header, timestampHeader, idHeader].flatMap((name) => name?.toLowerCase() ?? []);
  if (new Set(headers).size < headers.length) return 'is not valid: two headers are the same.';
  const sent = [format.includes('{timestamp}'), timestampHeader !== undefined].filter(Boolean);
  if (signs.includes('{timestamp}') && sent.length !== 1)
    return 'is not valid: it signs a timestamp. Say where that is: in format or in timestampHeader.';
  if (sent.length === 2) return 'is not valid: format and timestampHeader both contain the time.';
  return signs.includes('{id}') && idHeader === undefined
    ? 'is not valid: it signs an id. Say in idHeader where that is.'
    : undefined;
};

const isAbsentField = (name: string): boolean => {
  const [first = '', ...path] = segments(name);
  if (!isOperation(first)) return Object.hasOwn(schemas, first) && isKnownField(name);
  const request = bodies[first].request;
  return request !== undefined && isKnownField(`${request}.${path.join('.')}`);
};

const isAbsent = (name: unknown): boolean =>
  typeof name === 'string' && (name === 'stream' || isOperation(name) || isAbsentField(name));
const absentRule = rules.listOf(
  'operation ids, stream, and fields such as generateContent.model',
  isAbsent,
);
const absent: rules.OptionRule = (list) => {
  const wrong = Array.isArray(list) ? list.find((name) => !isAbsent(name)) : undefined;
  const advice =
    isText(wrong) && !wrong.includes('.')
      ? didYouMean(wrong, [...Object.keys(routes), 'stream'])
      : '';
  return advice ? `contains an unknown '${wrong}'.${advice}` : absentRule(list);
};

const unknownIn = (record: unknown, isOurs: (name: string) => boolean): string | undefined =>
  isObject(record) ? Object.keys(record).find((name) => !isOurs(name)) : undefined;

const fieldsRule = rules.mustBe(
  'an object of field names of the contract and different names',
  rules.recordOf(isKnownField, isName),
);
/** Names the entry that has their name in front, or a misspelled one of ours. */
const fields: rules.OptionRule = (record) => {
  const problem = fieldsRule(record);
  const theirs = unknownIn(record, isKnownField);
  if (!problem || !theirs) return problem;
  const ours = (record as Record<string, unknown>)[theirs];
  if (typeof ours === 'string' && isKnownField(ours))
    return `has an entry the wrong way round: write '${ours}': '${theirs}', the contract's name first.`;
  return `has an unknown field '${theirs}'.${didYouMean(theirs, fieldNames())}`;
};

const pathsRule = rules.mustBe(
  'an object of operation ids and paths with the same placeholders',
  rules.recordOf(isOperation, isPathOf),
);
/** Names the entry that has a path or a misspelled id in front, or whose path does not fit. */
const paths: rules.OptionRule = (record) => {
  const problem = pathsRule(record);
  const entries = problem && isObject(record) ? Object.entries(record) : [];
  for (const [id, path] of entries) {
    if (isOperation(id) && isPathOf(path, id)) continue;
    if (isOperation(id)) {
      return `has no valid path for ${id}: it must start with / and have the placeholders of ${templateOf(id)}.`;
    }
    const there = Object.keys(routes).filter(
      (name) => isOperation(name) && templateOf(name) === id,
    );
    return there.length > 0
      ? `has a path of the contract where an operation id must be: write '${there.join("' or '")}'.`
      : `has an unknown operation '${id}'.${didYouMean(id, Object.keys(routes))}`;
  }
  return problem;
};

/** Names the entry that has an unknown word in front. */
const wordsFor = (expected: string, names: readonly string[]): rules.OptionRule => {
  const rule = rules.mustBe(expected, differentWords(names));
  return (record) => {
    const problem = rule(record);
    const unknown = unknownIn(record, (name) => names.includes(name));
    return problem && unknown !== undefined
      ? `has an unknown '${unknown}'.${didYouMean(unknown, names)}`
      : problem;
  };
};

const deploymentRules: rules.OptionRules<DeploymentJson> = {
  $schema: rules.text,
  baseUrl: rules.httpUrl,
  paths,
  webhookUrlField: fieldName,
  accessTokenHeader: ownHeader,
  tokenHeader: ownHeader,
  fields,
  wrap: rules.mustBe('a field name', (value) => isName(value) && !value.includes('.')),
  statuses: wordsFor(
    `an object of ${generationStatuses.join(', ')} with different words`,
    generationStatuses,
  ),
  eventNames: wordsFor('an object of event types and different names', [
    ...Object.keys(payloads),
    ...Object.keys(callbacks),
  ]),
  errors: rules.mustBe(
    'false, or an object with the paths of code and message',
    (value) =>
      value === false ||
      (rules.recordOf((name) => /^(code|message)$/.test(name), isName)(value) &&
        Object.keys(value as object).length > 0),
  ),
  absent,
  idempotency: rules.mustBe('false or a header name', (value) =>
    value === false ? true : ownHeader(value) === undefined,
  ),
  scheme,
  secretEncoding: rules.oneOf(['whsec', 'utf8', 'hex', 'base64']),
};

function conflict(json: DeploymentJson): string | undefined {
  const { accessTokenHeader = 'Authorization', tokenHeader, idempotency, scheme } = json;
  if (`${idempotency}`.toLowerCase() === accessTokenHeader.toLowerCase())
    return 'idempotency and accessTokenHeader are the same header.';
  const signed = [scheme?.header, scheme?.timestampHeader, scheme?.idHeader];
  const isTaken = signed.some((name) => name?.toLowerCase() === tokenHeader?.toLowerCase());
  const isStandard = /^(webhook-(id|timestamp|signature)|x-service-signature)$/i;
  if (tokenHeader !== undefined && (isTaken || isStandard.test(tokenHeader)))
    return 'tokenHeader is a header of the signature. Choose another one.';
  const seen = new Map<string, string>();
  for (const [operation, route] of Object.entries(routes)) {
    const [method = '', template = ''] = route.split(' ');
    const path = json.paths?.[operation as OperationId] ?? template;
    const key = `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
    // The alias of an operation can have its path.
    const name = operation.replace(/Alias$/, '');
    if (json.absent?.includes(operation)) continue;
    if ((seen.get(key) ?? name) !== name)
      return `paths gives two operations the same address: ${key}.`;
    seen.set(key, name);
  }
  return undefined;
}

export const deploymentMistake = (json: unknown): string | undefined =>
  optionMistake(json, deploymentRules, words) ?? conflict(json as DeploymentJson);
