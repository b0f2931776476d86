import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { MockServer } from '../../mock-server/index.ts';
import { type OperationId, operations } from '../../src/generated/operations.ts';

type Node = Readonly<Record<string, unknown>>;

const document = parse(
  readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'),
) as Node;

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
/** The formats that the contract names. Ajv warns of any other. */
const formats = {
  'date-time': (text: string) => dateTime.test(text) && !Number.isNaN(Date.parse(text)),
  'json-pointer': /^(\/([^~/]|~[01])*)*$/,
  uri: (text: string) => URL.canParse(text),
  'uri-reference': (text: string) => !/\s/.test(text) && URL.canParse(text, 'https://a.example'),
};

const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
ajv.addSchema(document, 'contract');

const validators = new Map<string, ValidateFunction>();

/** The compiled schema at a JSON Pointer in the contract; compiled once. */
function validatorAt(pointer: string): ValidateFunction {
  let validate = validators.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: `contract#${pointer}` });
    validators.set(pointer, validate);
  }
  return validate;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function nodeAt(pointer: string): Node | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, key) => (at as Node | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    ) as Node | undefined;
}

/** Follows `$ref`s and returns the pointer of the node itself. */
function placeOf(pointer: string): string {
  const reference = nodeAt(pointer)?.['$ref'];
  return typeof reference === 'string' ? placeOf(reference.slice(1)) : pointer;
}

function check(validate: ValidateFunction, value: unknown, what: string): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${what} at ${instancePath || '/'}: ${message}`,
  );
}

/** The name and the `data:` of each complete server-sent event. */
function events(text: string): { readonly name: string; readonly data: unknown }[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => block.includes('data: '))
    .map((block) => ({
      name: /^event: (.*)$/m.exec(block)?.[1] ?? '',
      data: JSON.parse(block.slice(block.indexOf('data: ') + 6)) as unknown,
    }));
}

/** The `data:` of each complete server-sent event. */
export const eventData = (text: string): unknown[] => events(text).map(({ data }) => data);

/** Every difference between a stream and the schemas that the contract names for its events, event by event. */
function streamFaults(text: string, media: string, at: string): string[] {
  const schemas = (nodeAt(media)?.['x-event-schemas'] ?? {}) as Node;
  return events(text).flatMap(({ name, data }) => {
    if (!Object.hasOwn(schemas, name)) return [`${at}: the contract names no event ${name}`];
    const validate = validatorAt(placeOf(`${media}/x-event-schemas/${escaped(name)}`));
    return check(validate, data, `${at} ${name}`);
  });
}

/** The part of a `Response` that precedes its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
}

/** Every difference between a response and the contract. Without `text`, only the status and headers are checked. */
export function contractFaults(
  operation: OperationId,
  response: ResponseHead,
  text?: string,
): string[] {
  const { method, path } = operations[operation];
  const declared = placeOf(
    `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${response.status}`,
  );
  const node = nodeAt(declared);
  const at = `${operation} ${response.status}`;
  if (!node) return [`${at}: the contract declares no such status`];

  const headers = Object.keys((node['headers'] ?? {}) as Node).flatMap((name) => {
    const place = placeOf(`${declared}/headers/${escaped(name)}`);
    const value = response.headers.get(name);
    if (value === null) return nodeAt(place)?.['required'] ? [`${at}: no header ${name}`] : [];
    return check(validatorAt(`${place}/schema`), value, `${at} header ${name}`);
  });
  const content = (node['content'] ?? {}) as Node;
  const type = response.headers.get('content-type')?.split(';')[0]?.trim();
  if (Object.keys(content).length === 0) {
    return !text ? headers : [...headers, `${at}: a body where none is declared`];
  }
  if (type === undefined || !content[type]) return [...headers, `${at}: content type ${type}`];
  if (text === undefined) return headers;
  const media = `${declared}/content/${escaped(type)}`;
  const streamed = type === 'text/event-stream';
  const validate = validatorAt(`${media}/schema`);
  return [
    ...headers,
    ...check(validate, streamed ? text : JSON.parse(text), at),
    ...(streamed ? streamFaults(text, media, at) : []),
  ];
}

/** Every difference between a value and a component schema of the contract. */
export const componentFaults = (name: string, value: unknown, what: string): string[] =>
  check(validatorAt(`/components/schemas/${name}`), value, what);

/** The operation for a method and path, with or without `/v2`. */
export function operationOf(method: string, pathname: string): OperationId | undefined {
  const path = pathname.replace(/^\/v2(?=\/)/, '');
  const wanted = method === 'HEAD' ? 'GET' : method;
  const literal = (template: string) => (template.match(/\{/g) ?? []).length;
  const ids = Object.keys(operations) as OperationId[];
  // A path without a parameter is a path of its own for every method.
  const exact = ids.filter((id) => operations[id].path === path);
  return (exact.length > 0 ? exact : ids)
    .filter((id) => {
      const { method: own, path: template } = operations[id];
      const pattern = `^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`;
      return own === wanted && new RegExp(pattern).test(path);
    })
    .sort((a, b) => literal(operations[a].path) - literal(operations[b].path))[0];
}

/** Checks a response against the contract and throws with every difference. The body stays readable. */
export async function assertContract(request: Request, response: Response): Promise<void> {
  const operation = operationOf(request.method, new URL(request.url).pathname);
  if (!operation || request.method === 'HEAD') return;
  // A 404 or 405 from the router belongs to no operation.
  const text = await response.clone().text();
  const faults = contractFaults(operation, response, text);
  if (faults.length > 0)
    throw new Error(`The response does not match the contract:\n${faults.join('\n')}`);
}

/** A fetch that checks every complete response against the contract. */
export function contractFetch(
  mock: Pick<MockServer, 'fetch'>,
): (input: Request | URL | string, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await mock.fetch(request);
    await assertContract(request, response);
    return response;
  };
}
