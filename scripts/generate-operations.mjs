const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** The route table and the table of problem codes, as the source of `src/generated/operations.ts`. */
export function operationsSource(document) {
  const resolve = resolver(document);
  const table = {};
  const details = {};
  const codes = {};

  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (name.endsWith('Problem')) collectCodes(schema, codes, resolve);
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const id = operation.operationId;
      if (!id) throw new Error(`${method.toUpperCase()} ${path} has no operationId.`);
      table[id] = { method: method.toUpperCase(), path };
      details[id] = describe(operation, item, resolve);
    }
  }

  const problemCodes = Object.fromEntries(
    Object.entries(codes).map(([status, set]) => [status, [...set].sort()]),
  );
  return `/** Operation id → method and path template, without prefix. */
export const operations = ${literal(table)} as const satisfies Record<
  string,
  { method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH'; path: string }
>;

/** The name of an operation of the contract. */
export type OperationId = keyof typeof operations;

/** What a server must know about an operation besides its route. */
export interface OperationDetails {
  readonly role: 'admin' | 'member';
  readonly statuses: readonly number[];
  /** Name of the component schema of the body. */
  readonly body?: string;
  readonly bodyRequired?: boolean;
  /** The fields of the body. */
  readonly fields?: readonly string[];
  /** Query parameters: name → JSON schema, and whether it is required. */
  readonly query?: Readonly<
    Record<string, { readonly required: boolean; readonly schema: Readonly<Record<string, unknown>> }>
  >;
  readonly deprecated?: true;
  /** The operation for which this one is an alternative path. */
  readonly aliasOf?: OperationId;
}

export const operationDetails = ${literal(details)} as const satisfies Record<OperationId, OperationDetails>;

/** Status → the closed list of problem codes that can come with it. */
export const problemCodes = ${literal(problemCodes)} as const satisfies Record<number, readonly string[]>;

export type ProblemCode = (typeof problemCodes)[keyof typeof problemCodes][number];
`;
}

function describe(operation, item, resolve) {
  const details = {
    role: operation['x-role'] ?? 'admin',
    statuses: Object.keys(operation.responses)
      .filter((status) => /^\d+$/.test(status))
      .map(Number),
  };
  const body = resolve(operation.requestBody);
  if (body) {
    const schema = body.content['application/json']?.schema;
    details.body = schema?.$ref?.split('/').at(-1);
    if (!details.body)
      throw new Error(`${operation.operationId}: the body is not a component schema.`);
    details.bodyRequired = body.required === true;
    details.fields = Object.keys(resolve(schema).properties ?? {});
  }
  const query = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
    .map(resolve)
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => [
      parameter.name,
      { required: parameter.required === true, schema: plain(parameter.schema, resolve) },
    ]);
  if (query.length > 0) details.query = Object.fromEntries(query);
  if (operation.deprecated) details.deprecated = true;
  if (operation['x-alias-of']) details.aliasOf = operation['x-alias-of'];
  return details;
}

/** The route table for the client: half as long, because every web page that uses the client loads it. */
export function routesSource(document) {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => [item[method].operationId, `${method.toUpperCase()} ${path}`]),
  );
  return `import type { OperationId } from './operations.ts';

/** Operation id → method and path template, without prefix. */
export const routes: Readonly<Record<OperationId, string>> = ${literal(Object.fromEntries(routes))};
`;
}

/** What the response of each operation promises, as the source of `src/generated/promises.ts`. */
export function promisesSource(document) {
  const resolve = resolver(document);
  const promises = {};
  for (const item of Object.values(document.paths)) {
    for (const method of methods.filter((method) => item[method])) {
      const { operationId, responses } = item[method];
      const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const whole = resolve(resolve(success[1]).content?.['application/json']?.schema);
      const row = resolve(whole?.properties?.data?.items);
      promises[operationId] = promisedNames(row ?? whole, resolve).join(' ');
    }
  }
  return `import type { OperationId } from './operations.ts';

/** Operation id → what its response always has; for a list, each item. \`!\` marks what no caller can do without. */
export const promises: Readonly<Record<OperationId, string>> = ${literal(promises)};
`;
}

/** The required properties of a schema, those of nested objects behind a dot. */
function promisedNames(schema, resolve, before = '') {
  const parts = [...(schema?.allOf ?? []), schema ?? {}].map(resolve);
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  return [...required].flatMap((name) => {
    const property = properties[name];
    const isObject = resolve(property).properties !== undefined;
    return isObject
      ? promisedNames(resolve(property), resolve, `${before}${name}.`)
      : `${before}${name}${property['x-essential'] ? '!' : ''}`;
  });
}

/** A parameter's schema with references resolved and reduced to its constraints. */
function plain(schema, resolve) {
  const { description, title, example, examples, ...rest } = resolve(schema) ?? {};
  if (rest.items) rest.items = plain(rest.items, resolve);
  return rest;
}

/** Adds the codes of a problem schema to the list of its status. */
function collectCodes(schema, codes, resolve) {
  const [status, ...others] = property(schema, 'status', resolve);
  const found = property(schema, 'code', resolve);
  if (status === undefined || others.length > 0) return;
  codes[status] ??= new Set();
  for (const code of found) codes[status].add(code);
}

/** The values that a schema allows for a property; empty unless they are a closed list. */
function property(schema, name, resolve) {
  const resolved = resolve(schema);
  const own = values(resolve(resolved?.properties?.[name]));
  const choices = [...(resolved?.oneOf ?? []), ...(resolved?.anyOf ?? [])];
  const chosen = choices.flatMap((choice) => property(choice, name, resolve));
  const all = (resolved?.allOf ?? []).map((part) => property(part, name, resolve));
  const lists = [own, chosen, ...all].filter((list) => list.length > 0);
  const [first = [], ...rest] = lists;
  return [...new Set(first)].filter((value) => rest.every((list) => list.includes(value)));
}

function values(schema) {
  if (!schema) return [];
  if (schema.const !== undefined) return [schema.const];
  return schema.enum ?? [];
}

function resolver(document) {
  return function resolve(node) {
    let current = node;
    while (current?.$ref) {
      const parts = current.$ref.replace(/^#\//, '').split('/');
      current = parts.reduce((at, part) => at?.[part.replaceAll('~1', '/')], document);
    }
    return current;
  };
}

function literal(value, indent = '') {
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, inner)).join(', ')}]`;
  if (value === null || typeof value !== 'object') {
    return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : String(value);
  }
  const rows = Object.entries(value).filter(([, item]) => item !== undefined);
  if (rows.length === 0) return '{}';
  const fields = rows.map(([key, item]) => {
    const name = /^([A-Za-z_$][\w$]*|\d+)$/.test(key) ? key : `'${key}'`;
    return `${name}: ${literal(item, inner)}`;
  });
  const line = `{ ${fields.join(', ')} }`;
  if (!line.includes('\n') && line.length + indent.length < 80) return line;
  const lines = fields.map((field) => `${inner}${field},`);
  return `{\n${lines.join('\n')}\n${indent}}`;
}
