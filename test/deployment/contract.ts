import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { createMockServer } from '../../mock-server/index.ts';
import { type DeploymentJson, defineDeployment } from '../../src/deployment/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: any OpenAPI document
type Document = any;

export const givenOnly: DeploymentJson = JSON.parse(
  readFileSync(new URL('../../deployments/given-only.json', import.meta.url), 'utf8'),
);

/** What a reference server with a deployment serves as its contract. */
export async function contractOf(json: DeploymentJson): Promise<Document> {
  const mock = createMockServer({ deployment: defineDeployment(json), clock: 'manual' });
  const response = await mock.fetch(new Request(`${mock.baseUrl}/openapi.yaml`));
  await mock.close();
  return parse(await response.text());
}

/** Schemas that don't compile, references to nothing, and path parameters that are missing. */
export function problemsOf(document: Document): string[] {
  const problems: string[] = [];
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  ajv.addSchema({ $id: 'contract:', components: document.components });
  const seen = (node: Document, where: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if (typeof node.$ref === 'string') {
      const [, ...path] = node.$ref.split('/');
      if (path.reduce((at: Document, name: string) => at?.[name], document) === undefined)
        problems.push(`${where}: ${node.$ref} is missing`);
    }
    if (node.schema) {
      const schema = JSON.parse(JSON.stringify(node.schema).replaceAll('"#/', '"contract:#/'));
      ajv.compile(schema);
    }
    for (const [name, value] of Object.entries(node)) seen(value, `${where}/${name}`);
  };
  seen(document.paths, 'paths');
  seen(document.webhooks, 'webhooks');
  for (const [path, item] of Object.entries<Document>(document.paths)) {
    for (const { operationId, parameters } of Object.values<Document>(item)) {
      const names = (parameters as Document[])
        .map(({ $ref, ...own }) =>
          $ref ? document.components.parameters[$ref.split('/')[3]] : own,
        )
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      if (expected.sort().join() !== names.sort().join()) problems.push(`${operationId}: ${names}`);
    }
  }
  return problems;
}
