import type { DeploymentJson, OwnNames } from '../deployment-port.ts';
import { callbacks, payloads, type SchemaNames, schemas } from '../generated/names.ts';

export type NamesOf = (schema: string) => OwnNames;

export const segments = (path: string): string[] => path.split('.');

export function compileNames(json: DeploymentJson): NamesOf {
  const { fields = {}, webhookUrlField, absent = [], eventNames = {} } = json;
  const theirsOf = new Map(Object.entries(fields as Record<string, string>));
  if (webhookUrlField !== undefined) theirsOf.set('webhookUrl', webhookUrlField);
  const compiled = new Map<string, OwnNames>();
  const sendsEvents = Object.keys(callbacks).some((type) => Object.hasOwn(eventNames, type));
  const isCallback = (schema: string) => Object.values(callbacks).includes(schema);

  return (schema) => {
    const known = compiled.get(schema);
    if (known) return known;
    const { scopes, fields } = schemas[schema] as SchemaNames;
    // The contract's callbacks name no event; those of a deployment that has a name for it do.
    const own = isCallback(schema) && sendsEvents ? { ...fields, event: '=event' } : fields;
    const find = (path: string) => {
      const scope = scopes.find((scope) => theirsOf.has(`${scope}.${path}`));
      return theirsOf.get(scope === undefined ? path : `${scope}.${path}`);
    };
    // A reference to another object keeps its name where the object itself has that name: a delivery's `requestId` is
    // not its `id`, even if a generation's is.
    const isItself = (path: string, theirs: string) =>
      own[path] === '=id' && Object.hasOwn(own, theirs) && find(theirs) === undefined;
    const renamings = pathsOf(own).flatMap((path) => {
      const theirs = find(path);
      return theirs === undefined || theirs === path || isItself(path, theirs)
        ? []
        : [{ ours: segments(path), theirs: segments(theirs) }];
    });
    const names: OwnNames = {
      fields: new Map(Object.entries(own)),
      renamings,
      absent: pathsOf(own)
        .filter((path) => scopes.some((scope) => absent.includes(`${scope}.${path}`)))
        .map(segments),
    };
    compiled.set(schema, names);
    return names;
  };
}

function pathsOf(fields: Readonly<Record<string, string>>): string[] {
  return Object.entries(fields).flatMap(([field, kind]) => {
    const nested = Object.hasOwn(schemas, kind) ? (schemas[kind] as SchemaNames).fields : {};
    return [field, ...pathsOf(nested).map((inner) => `${field}.${inner}`)];
  });
}

export const fieldNames = (): readonly string[] =>
  Object.values(schemas).flatMap(({ fields }) => pathsOf(fields));

export function isKnownField(name: string): boolean {
  const [first = '', ...rest] = segments(name);
  const scoped = Object.hasOwn(schemas, first) && !first.includes('.');
  const within = scoped ? [schemas[first] as SchemaNames] : Object.values(schemas);
  const path = scoped ? rest.join('.') : name;
  return within.some(({ fields }) => pathsOf(fields).includes(path));
}

export const payloadSchemas: readonly (readonly [type: string, schema: string])[] =
  /* @__PURE__ */ Object.entries(payloads);
export const callbackSchemas: readonly string[] = /* @__PURE__ */ Object.values(callbacks);
