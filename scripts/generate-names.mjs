/**
 * Every property of every schema, what it holds, and which schemas the bodies of an operation have, as the source of
 * `src/generated/names.ts`: what a deployment may name differently.
 */
export function namesSource(document) {
  const { table, bodies, payloads, callbacks, stream, statuses } = readNames(document);

  return `import type { OperationId } from './operations.ts';

/** A schema: the names that can stand before its fields, and what each field holds. */
export interface SchemaNames {
  /** Its own name, and those of the schemas that it extends. */
  readonly scopes: readonly string[];
  /** Field → a nested schema, \`[]\` and the schema of a list's items, or a kind of value: \`=id\`, \`=status\`, \`=event\`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Every schema of a request, a response, a callback or an event. */
export const schemas: Readonly<Record<string, SchemaNames>> = ${print(Object.fromEntries(table))};

/** The schema of the request, and those of the successful responses, of each operation. */
export const bodies: Readonly<
  Record<OperationId, { readonly request?: string; readonly responses: readonly string[] }>
> = ${print(bodies)};

/** The schema of each system event. */
export const payloads: Readonly<Record<string, string>> = ${print(payloads)};

/** The schema of each result callback, by the type of its event. */
export const callbacks: Readonly<Record<string, string>> = ${print(callbacks)};

/** The schema of each event of a stream. */
export const streamEvents: Readonly<Record<string, string>> = ${print(stream)};

/** The statuses of a generation. */
export const generationStatuses: readonly string[] = ${print(statuses)};

/** A field of the contract: its name everywhere, a member of an object, or the field of one schema. */
export type FieldName =
${fieldNames(table)
  .map((name) => `  | '${name}'`)
  .join('\n')};

/** What a service may lack: a field of a request, or of a schema. */
export type AbsentField =
${absentFields(table, bodies)
  .map((name) => `  | '${name}'`)
  .join('\n')};
`;
}

/** What the schema of a deployment file lists. */
export function namesOf(document) {
  const { table, bodies, payloads, callbacks, statuses } = readNames(document);
  return {
    fields: fieldNames(table),
    absent: absentFields(table, bodies),
    events: [...Object.keys(callbacks), ...Object.keys(payloads)],
    statuses,
  };
}

function readNames(document) {
  const { schemas } = document.components;
  const table = new Map();
  const statuses = schemas.GenerationStatus.enum;
  const events = schemas.WebhookEvent.enum;
  const nameOf = (node) => node?.$ref?.split('/').at(-1);

  /** What a property holds: a nested schema, a list of one, or a value with a meaning of its own. */
  function kindOf(owner, name, node) {
    const reference = nameOf(node);
    if (reference && schemas[reference].properties) return visit(reference);
    if (node.properties) return visit(`${owner}.${name}`, node);
    if (node.items) {
      const item = nameOf(node.items);
      return item && schemas[item].properties ? `[]${visit(item)}` : '';
    }
    const target = reference ? schemas[reference] : node;
    const words = target.enum ?? (target.const === undefined ? [] : [target.const]);
    if (reference === 'GenerationStatus' || (name === 'status' && statuses.includes(words[0])))
      return owner === 'RedeliverFailedRequest' ? '' : '=status';
    if (reference === 'WebhookEvent' || events.includes(words[0])) return '=event';
    if (owner === 'Delivery' && name === 'event') return '=event';
    return /^id$|Id$/.test(name) ? '=id' : '';
  }

  function visit(name, node = schemas[name]) {
    if (table.has(name)) return name;
    const row = { scopes: [name], fields: {} };
    table.set(name, row);
    for (const part of [...(node.allOf ?? []), node]) {
      const base = nameOf(part);
      if (base) {
        visit(base);
        const { scopes, fields } = table.get(base);
        row.scopes.push(...scopes);
        Object.assign(row.fields, fields);
      }
      for (const [key, value] of Object.entries(part.properties ?? {}))
        row.fields[key] = kindOf(name, key, value);
    }
    return name;
  }

  /** The schemas of the alternatives of a body. */
  function alternatives(node) {
    const name = nameOf(node);
    if (!name) return [];
    const { anyOf } = schemas[name];
    return anyOf ? anyOf.flatMap(alternatives) : [visit(name)];
  }
  const json = (body) => body?.content?.['application/json']?.schema;

  const bodies = {};
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      if (!operation?.operationId) continue;
      const [request] = alternatives(json(operation.requestBody));
      const responses = Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, response]) => alternatives(json(response)));
      bodies[operation.operationId] = { ...(request && { request }), responses };
    }
  }
  const payloads = Object.fromEntries(
    Object.entries(document.webhooks).map(([event, { post }]) => [
      event,
      alternatives(json(post.requestBody))[0],
    ]),
  );
  const [completed, failed] = alternatives({
    $ref: '#/components/schemas/GenerationResultCallback',
  });
  const callbacks = { generation_completed: completed, generation_failed: failed };
  const stream = {
    started: visit('GenerationStarted'),
    delta: visit('GenerationDelta'),
    completed: visit('CompletedGeneration'),
    failed: visit('Generation'),
    canceled: visit('Generation'),
  };

  return { table, bodies, payloads, callbacks, stream, statuses };
}

/** All paths to the fields of a schema, those of nested objects included. */
function pathsOf(table, name) {
  return Object.entries(table.get(name).fields).flatMap(([field, kind]) => [
    field,
    ...(table.has(kind) ? pathsOf(table, kind).map((inner) => `${field}.${inner}`) : []),
  ]);
}

function fieldNames(table) {
  const all = [...table.keys()].flatMap((schema) =>
    pathsOf(table, schema).flatMap((path) =>
      schema.includes('.') ? [path] : [path, `${schema}.${path}`],
    ),
  );
  return [...new Set(all)].sort();
}

function absentFields(table, bodies) {
  const requests = Object.entries(bodies).flatMap(([operation, { request }]) =>
    request ? Object.keys(table.get(request).fields).map((field) => `${operation}.${field}`) : [],
  );
  const responses = [...table.keys()]
    .filter((schema) => !schema.includes('.') && !schema.endsWith('Request'))
    .flatMap((schema) => pathsOf(table, schema).map((path) => `${schema}.${path}`));
  return [...new Set([...requests, ...responses])].sort();
}

function print(value) {
  return JSON.stringify(value, null, 2)
    .replace(/"([A-Za-z_]\w*)":/g, '$1:')
    .replaceAll('"', "'");
}
