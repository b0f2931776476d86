import { _, Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { iso } from 'zod/mini';

const LENGTH = 'require("ajv/dist/runtime/ucs2length").default';
const NO_BODY = { type: 'object', additionalProperties: false };

/**
 * Validators for what the server receives and for the events that a test triggers, compiled by Ajv, as the source of
 * `src/generated/validators.ts`. Each validator fills in the contract's defaults.
 */
export function validatorsSource(document) {
  const { schemas } = document.components;
  const names = [...bodies(document), ...events(document)].sort();
  const compiled = { NoBody: NO_BODY };
  for (const name of names) compiled[name] = inlined(schemas[name], schemas);
  Object.assign(compiled, queries(document));
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    messages: false,
    allowUnionTypes: true,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  ajv.addFormat('uri', () => true);
  ajv.addFormat('date-time', iso.datetime({ offset: true })._zod.def.pattern);
  for (const [name, schema] of Object.entries(compiled)) ajv.addSchema(schema, name);
  const code = standalone.default(
    ajv,
    Object.fromEntries(Object.keys(compiled).map((name) => [name, name])),
  );
  return `// @ts-nocheck
/* eslint-disable */

/** Code points, as the contract counts them. */
function lengthOf(text) {
  if (!/[\\ud800-\\udbff]/.test(text)) return text.length;
  let length = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) length += 1;
  return length;
}

const formats = {
  // The URL parser removes white space instead of rejecting it.
  uri: (text) => text === text.trim() && !/[\\t\\n\\r]/.test(text) && URL.canParse(text),
};

${code
  .replace(/^"use strict";\n*/, '')
  .replace(/^export .*\n*/gm, '')
  .replaceAll(LENGTH, 'lengthOf')}

/** By the name of the schema. */
export const validators = {
${exported(code)}
};
`;
}

/** The functions that Ajv exports individually, as members of one object. */
const exported = (code) =>
  [...code.matchAll(/^export const (\w+) = (\w+);$/gm)]
    .map(([, name, validate]) => `  ${name}: ${validate},`)
    .join('\n');

/** Names of the schemas of request bodies. */
function bodies({ paths }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return new Set(operations.map(({ requestBody }) => schemaName(requestBody)).filter(Boolean));
}

/** The query of each operation that has parameters, as an object: `listGenerationsQuery`. */
function queries({ paths, components: { parameters, schemas } }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const rows = operations.map(({ operationId, parameters: listed = [] }) => {
    const all = listed.map((one) => (one.$ref ? parameters[one.$ref.split('/').at(-1)] : one));
    const own = all.filter((parameter) => parameter.in === 'query');
    const properties = own.map(({ name, schema }) => [name, inlined(schema, schemas)]);
    return [`${operationId}Query`, properties];
  });
  return Object.fromEntries(
    rows
      .filter(([, properties]) => properties.length > 0)
      .map(([name, properties]) => [
        name,
        { ...NO_BODY, properties: Object.fromEntries(properties) },
      ]),
  );
}

/** Names of the schemas of the events that registrations receive. */
function events({ webhooks }) {
  return Object.values(webhooks).map(({ post }) => schemaName(post.requestBody));
}

const schemaName = (body) => body?.content['application/json'].schema.$ref.split('/').at(-1);

/** The schema with its references inlined and without its documentation; siblings of a reference win. */
function inlined(node, schemas) {
  if (Array.isArray(node)) return node.map((item) => inlined(item, schemas));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...own } = node;
  const whole = { ...($ref && schemas[$ref.split('/').at(-1)]), ...own };
  // An enum or a constant implies its type: one error is enough.
  if (whole.enum ?? whole.const) delete whole.type;
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([key, value]) => !isDocumentation(key, value))
      .map(([key, value]) => [key, inlined(value, schemas)]),
  );
}

/** A property can also be called `description`, but then the value is an object. */
const isDocumentation = (key, value) =>
  ['description', 'examples', 'title'].includes(key) &&
  (typeof value === 'string' || Array.isArray(value));
