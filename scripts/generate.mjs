import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { deploymentSchemaSource } from './generate-deployment-schema.mjs';
import { namesSource } from './generate-names.mjs';
import { operationsSource, promisesSource, routesSource } from './generate-operations.mjs';
import { samplesSource } from './generate-samples.mjs';
import { validatorsSource } from './generate-validators.mjs';

const root = new URL('..', import.meta.url);
const out = new URL('src/generated/', root);
const contract = new URL('openapi.yaml', root);
const header = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n';
/** Descriptions that openapi-typescript does not generate. */
const topLevel = {
  paths: 'The operations of the contract by path and method, as openapi-fetch takes them.',
  webhooks: 'The webhooks of the contract, by event.',
  components: 'The schemas, responses, parameters and headers of the contract.',
  operations: 'The operations of the contract, by id.',
};

await mkdir(out, { recursive: true });
const document = parse(await readFile(contract, 'utf8'));
await write('openapi.ts', await types());
await write('schemas.ts', await schemas());
await write('operations.ts', operationsSource(document));
await write('routes.ts', routesSource(document));
await write('promises.ts', promisesSource(document));
await write('names.ts', namesSource(document));
await write('samples.ts', samplesSource(document));
// Read where the contract is translated into the names of a deployment.
await writeFile(new URL('openapi.json', root), `${JSON.stringify(document)}\n`);
await writeFile(new URL('deployment.schema.json', root), deploymentSchemaSource(document));
await write('validators.ts', validatorsSource(document));
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
await writeFile(
  new URL('version.ts', out),
  `// Generated from package.json by \`npm run generate\`. Do not edit.\nexport const version = '${version}';\n`,
);

async function write(name, source) {
  await writeFile(new URL(name, out), header + source);
}

async function types() {
  const source = astToString(
    await openapiTS(withDescriptions(document), { alphabetize: true, defaultNonNullable: false }),
  );
  return (
    source
      // Editors show the description as the hover text only without the tag.
      .replaceAll('* @description ', '* ')
      .replace(
        /^export interface (\w+)/gm,
        (declaration, name) => `/** ${topLevel[name]} */\n${declaration}`,
      )
  );
}

/**
 * A copy of the contract in which each property of a schema has a description, which editors show on hover: its own, or
 * else that of the schema it refers to or of the property it narrows.
 */
function withDescriptions(contract) {
  const copy = structuredClone(contract);
  const { schemas } = copy.components;
  const resolve = ({ $ref } = {}) => schemas[$ref?.split('/').at(-1)];
  for (const { properties, allOf = [] } of Object.values(schemas)) {
    const bases = allOf.map((part) => resolve(part)?.properties ?? {});
    for (const part of [{ properties }, ...allOf]) {
      for (const [name, property] of Object.entries(part.properties ?? {})) {
        const narrowed = bases.find((base) => base[name])?.[name];
        property.description ??=
          resolve(property)?.description ?? narrowed?.description ?? resolve(narrowed)?.description;
      }
    }
  }
  return copy;
}

async function schemas() {
  const folder = new URL('zod/', out);
  // The generator reads the version of zod from the package.json above the working directory; ours admits any.
  const home = process.cwd();
  process.chdir(tmpdir());
  await createClient({
    input: fileURLToPath(contract),
    output: { path: fileURLToPath(folder), clean: true, entryFile: false },
    parser: { transforms: { readWrite: { enabled: false } } },
    logs: { level: 'warn', file: false },
    plugins: [
      {
        name: 'zod',
        compatibilityVersion: 'mini',
        requests: false,
        responses: false,
        webhooks: false,
        definitions: { name: '{{name}}', case: 'PascalCase' },
        dates: { offset: true },
        $resolvers: { object: looseUnlessClosed },
      },
    ],
  });
  process.chdir(home);
  // `zod/v4-mini` is the name that zod 3.25 and zod 4 have in common.
  const source = await readFile(new URL('zod.gen.ts', folder), 'utf8');
  await rm(folder, { recursive: true });
  return limitSizes(source)
    .replace(/^\/\/ This file is auto-generated.*\n/, '')
    .replace("'zod/mini'", "'zod/v4-mini'")
    .replace(/(^|[^\w$.])z\.(?=[a-z_])/gm, '$1/*@__PURE__*/ z.');
}

/** An open object keeps unknown keys; a closed one rejects them. */
function looseUnlessClosed(context) {
  const { $, nodes, plugin, schema } = context;
  if (!schema.properties) return undefined;
  const closed = schema.additionalProperties?.type === 'never';
  return $(plugin.imports.z)
    .attr(closed ? 'strictObject' : 'looseObject')
    .call(nodes.shape(context));
}

/** The plugin ignores minProperties and maxProperties, so they are added to the component schemas here. */
function limitSizes(source) {
  const wanted = new Map();
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const { minProperties, maxProperties, ...rest } = schema;
    if (/"(min|max)Properties":/.test(JSON.stringify(rest))) {
      throw new Error(
        `${name}: minProperties and maxProperties are supported only at the top of a schema.`,
      );
    }
    if (minProperties !== undefined || maxProperties !== undefined) {
      wanted.set(name, { minProperties, maxProperties });
    }
  }
  const limited = source.replace(
    /^(export const (\w+) = )([\s\S]*?);\n$/gm,
    (whole, start, name, expression) => {
      const limits = wanted.get(name);
      if (!limits) return whole;
      wanted.delete(name);
      return `${start}${expression}.check(${sizeChecks(limits).join(', ')});\n`;
    },
  );
  if (wanted.size > 0)
    throw new Error(
      `Failed to limit the size of ${[...wanted.keys()]}: no such schema was generated.`,
    );
  return limited;
}

function sizeChecks({ minProperties, maxProperties }) {
  const checks = [];
  const size = '(value: object) => Object.keys(value).length';
  if (minProperties !== undefined) {
    checks.push(
      `z.refine(${size} >= ${minProperties}, { error: 'Must have at least ${minProperties} field(s).' })`,
    );
  }
  if (maxProperties !== undefined) {
    checks.push(
      `z.refine(${size} <= ${maxProperties}, { error: 'Must have at most ${maxProperties} fields.' })`,
    );
  }
  return checks;
}
