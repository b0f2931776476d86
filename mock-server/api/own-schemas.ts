import { bodies, callbacks } from '../../src/generated/names.ts';
import type { OperationId } from '../../src/generated/operations.ts';
import type { Deployment } from '../domain/deployment.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema of the contract, whose form the contract's own tests check
type Schema = any;
type Path = readonly string[];

export function ownSchemas(schemas: Record<string, Schema>, deployment: Deployment) {
  const { json } = deployment;
  const wordsOf = (kind: string | undefined) =>
    kind === '=status' ? json.statuses : kind === '=event' ? json.eventNames : undefined;
  const enumerations = new Map([
    ['GenerationStatus', '=status'],
    ['WebhookEvent', '=event'],
  ]);
  const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      deployment.names(name)
        ? translated(name, whole(name))
        : inWords(schema, wordsOf(enumerations.get(name))),
    ]),
  );

  /** A copy of a schema with the properties of those that it extends. */
  function whole(name: string): Schema {
    const { allOf = [], ...rest } = structuredClone(schemas[name]);
    const parts = [
      ...allOf.map((part: Schema) => (part.$ref ? whole(`${nameOf(part)}`) : part)),
      rest,
    ];
    return Object.assign({}, ...parts, {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    });
  }

  /** Moves the fields of an object, which is in our names, to their places. */
  function translated(name: string, schema: Schema): Schema {
    const {
      fields = new Map<string, string>(),
      renamings = [],
      absent = [],
    } = deployment.names(name) ?? {};
    const { properties } = schema;
    for (const [type, callback] of Object.entries(callbacks))
      if (callback === name && fields.has('event'))
        properties.event = { type: 'string', const: type };
    const lacking = lackingFields(name, deployment);
    for (const path of [...absent, ...lacking.everywhere]) take(schema, path);
    schema.required = schema.required?.filter((field: string) => !lacking.somewhere.has(field));
    const moved = [...renamings]
      .sort((one, other) => other.ours.length - one.ours.length)
      .map(({ ours, theirs }) => ({ ...take(schema, ours), theirs, kind: kindAt(name, ours) }));
    for (const [field, property] of Object.entries<Schema>(properties))
      properties[field] = value(fields.get(field), property);
    for (const { theirs, kind, property, isRequired } of moved.sort(
      (one, other) => one.theirs.length - other.theirs.length,
    ))
      if (property) put(schema, theirs, value(kind, property), isRequired);
    if (schema.required.length === 0) delete schema.required;
    return schema;
  }

  /** The schema of a value. A reference to a named schema stays a reference. */
  function value(kind = '', property: Schema): Schema {
    if (property.properties) return translated(kind, { required: [], ...property });
    return property.$ref ? property : inWords(property, wordsOf(kind));
  }

  function kindAt(name: string, [first = '', ...rest]: Path): string {
    const kind = deployment.names(name)?.fields.get(first) ?? '';
    return rest.length === 0 ? kind : kindAt(kind, rest);
  }

  /** Removes a field, and the objects that it leaves empty. Objects on the way to it are no longer references. */
  function take(
    schema: Schema,
    [name = '', ...rest]: Path,
  ): { property?: Schema; isRequired?: boolean } {
    const { properties, required = [] } = schema;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isRequired = required.includes(name);
    const remove = () => {
      delete properties[name];
      schema.required = required.filter((one: string) => one !== name);
    };
    if (!property) return {};
    if (rest.length === 0) {
      remove();
      return { property, isRequired };
    }
    const inner = property.$ref ? whole(`${nameOf(property)}`) : property;
    properties[name] = inner;
    const taken = take(inner, rest);
    if (Object.keys(inner.properties).length === 0) remove();
    return { ...taken, isRequired: isRequired && taken.isRequired === true };
  }

  function put(
    schema: Schema,
    [name = '', ...rest]: Path,
    property: Schema,
    isRequired = false,
  ): void {
    const { properties, required = [] } = schema;
    if (isRequired && !required.includes(name)) schema.required = [...required, name];
    if (rest.length === 0) {
      properties[name] = property;
      return;
    }
    const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const reference = found?.$ref && `${nameOf(found)}`;
    const inner = reference ? translated(reference, whole(reference)) : found;
    properties[name] = inner?.properties ? inner : { type: 'object', properties: {} };
    put(properties[name], rest, property, isRequired);
  }
}

/** The fields of a request that none, or not each, of its operations takes. */
function lackingFields(
  schema: string,
  { has, names }: Deployment,
): { everywhere: Path[]; somewhere: ReadonlySet<string> } {
  const takers = Object.entries(bodies)
    .filter(([operation, { request }]) => request === schema && has(operation))
    .map(([operation]) => operation as OperationId);
  const somewhere: string[] = [];
  const everywhere: Path[] = [];
  for (const field of takers.length === 0 ? [] : (names(schema)?.fields.keys() ?? [])) {
    const lacking = takers.filter((operation) => !has(`${operation}.${field}`));
    if (lacking.length > 0) somewhere.push(field);
    if (lacking.length === takers.length || (field === 'stream' && !has('stream')))
      everywhere.push([field]);
  }
  return { everywhere, somewhere: new Set(somewhere) };
}

function inWords(schema: Schema, words: object | undefined): Schema {
  if (!words) return schema;
  const known = new Map<string, string>(Object.entries(words));
  const word = (ours: string) => known.get(ours) ?? ours;
  return {
    ...schema,
    ...(schema.enum && { enum: schema.enum.map(word) }),
    ...(schema.const !== undefined && { const: word(schema.const) }),
  };
}
