import type { OperationId } from '../../src/generated/operations.ts';
import type { Deployment } from '../domain/deployment.ts';
import { ownSchemas } from './own-schemas.ts';

// biome-ignore lint/suspicious/noExplicitAny: any member of an OpenAPI document, which the contract's own tests check
type Node = any;

/** The contract in the names of a deployment, without what it does not have. */
export function ownContract(contract: Node, deployment: Deployment): Node {
  // Examples are in the contract's names and words.
  const isExample = (name: string) => name === 'example' || name === 'examples';
  const text = JSON.stringify(contract, (name, value) => (isExample(name) ? undefined : value));
  const document = JSON.parse(text);
  const { json } = deployment;
  const { components } = document;
  document.info.description = 'The contract of one deployment of the service, in its own names.';
  if (json.baseUrl !== undefined) document.servers = [{ url: json.baseUrl }];
  document.paths = ownPaths(document.paths, deployment);
  components.schemas = ownSchemas(components.schemas, deployment);
  ownHeaders(components, deployment);
  if (json.errors !== undefined)
    for (const response of Object.values<Node>(components.responses))
      ownError(response, deployment);
  for (const operation of operationsOf(document.paths)) ownOperation(operation, deployment);
  document.webhooks = Object.fromEntries(
    Object.entries<Node>(document.webhooks).map(([event, item]) => {
      ownDelivery(item.post, deployment);
      return [wordOf(json.eventNames, event), item];
    }),
  );
  return withoutUnused(document);
}

const wordOf = (words: object | undefined, word: string): string =>
  new Map<string, string>(Object.entries(words ?? {})).get(word) ?? word;

const operationsOf = (paths: Node): Node[] =>
  Object.values<Node>(paths).flatMap((item) => Object.values<Node>(item));

/** The operations by their own paths. Two paths that differ only in the names of their parameters are one. */
function ownPaths(paths: Node, deployment: Deployment): Node {
  const result: Node = {};
  const shapes = new Map<string, string>();
  for (const [template, item] of Object.entries<Node>(paths)) {
    for (const [method, operation] of Object.entries<Node>(item)) {
      const id = operation.operationId as OperationId;
      if (!deployment.has(id)) continue;
      const path = deployment.path(id) ?? template;
      const shape = path.replace(/\{\w+\}/g, '{}');
      const known = shapes.get(shape) ?? path;
      shapes.set(shape, known);
      result[known] ??= {};
      // An alias can have the path of its operation.
      result[known][method] ??= { ...operation, parameters: parametersOf(operation, path, known) };
    }
  }
  return result;
}

/** The parameters of an operation; those of its path under the names of another template of the same shape. */
function parametersOf({ parameters = [] }: Node, path: string, known: string): Node[] {
  if (path === known) return parameters;
  const names = known.match(/(?<=\{)\w+/g) ?? [];
  const others = parameters.filter(
    ({ in: place, $ref = '' }: Node) => place !== 'path' && !/Id$/.test($ref),
  );
  return [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...others,
  ];
}

/** Headers of requests and responses that the deployment names otherwise or does not have. */
function ownHeaders({ parameters, securitySchemes }: Node, deployment: Deployment): void {
  const { accessTokenHeader, idempotencyHeader, tokenHeader } = deployment;
  if (accessTokenHeader !== undefined && accessTokenHeader !== 'authorization')
    securitySchemes.AccessToken = {
      type: 'apiKey',
      in: 'header',
      name: deployment.json.accessTokenHeader,
    };
  if (idempotencyHeader !== undefined) parameters.IdempotencyKey.name = idempotencyHeader;
  parameters.ServiceToken.name = tokenHeader;
}

function ownError(response: Node, { toTheirs }: Deployment): void {
  if (!response.content) return;
  delete response.content;
  const sample = toTheirs.problem(undefined, { code: 'code', detail: 'message' });
  if (sample) response.content = { 'application/json': { schema: schemaOf(sample) } };
}

/** The schema of a body that consists of texts. */
function schemaOf(sample: Node): Node {
  if (Array.isArray(sample)) return { type: 'array', items: schemaOf(sample[0]) };
  if (typeof sample !== 'object') return { type: 'string' };
  const properties = Object.entries(sample).map(([name, value]) => [name, schemaOf(value)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function ownOperation(operation: Node, deployment: Deployment): void {
  const { has, idempotencyHeader, json } = deployment;
  // It describes in prose what might be absent.
  delete operation.description;
  const isGone = ({ $ref = '' }: Node) =>
    ($ref.endsWith('/IdempotencyKey') && idempotencyHeader === undefined) ||
    ($ref.endsWith('/LastEventId') && !has('stream'));
  operation.parameters = operation.parameters.filter((one: Node) => !isGone(one));
  for (const [status, { headers, content }] of Object.entries<Node>(operation.responses)) {
    if (idempotencyHeader === undefined && headers) delete headers['Idempotency-Replayed'];
    if (!has('stream') && content) delete content['text/event-stream'];
    if (status.startsWith('2')) wrap(content, json.wrap);
  }
  if (!operation.callbacks) return;
  const field = deployment.requestField('webhookUrl').split('.');
  const pointer = field
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  for (const [name, item] of Object.entries<Node>(operation.callbacks)) {
    const [post] = operationsOf(item);
    ownDelivery(post, deployment);
    operation.callbacks[name] = { [`{$request.body#${pointer}}`]: { post } };
  }
}

/** What the service posts: its headers are those of the scheme. */
function ownDelivery(post: Node, { json, scheme }: Deployment): void {
  wrap(post.requestBody.content, json.wrap);
  if (json.scheme === undefined || json.scheme.type === 'standard') return;
  const names = [...scheme.signatureHeaders, scheme.time?.header, scheme.idHeader];
  const headers = [...new Set(names.filter((name) => typeof name === 'string'))];
  post.parameters = [
    ...headers.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    ...post.parameters.filter(
      ({ $ref }: Node) => $ref.endsWith('/ServiceToken') && json.scheme?.type !== 'token',
    ),
  ];
}

function wrap(content: Node, member: string | undefined): void {
  const media = content?.['application/json'];
  if (media && member !== undefined)
    media.schema = { type: 'object', required: [member], properties: { [member]: media.schema } };
}

/** The document with the components that something refers to. */
function withoutUnused(document: Node): Node {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const visit = (node: Node): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node;
    if (typeof $ref === 'string' && !used.has($ref)) {
      used.add($ref);
      const [, , kind = '', name = ''] = $ref.split('/');
      visit(components[kind]?.[name]);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(rest);
  const kept = Object.entries<Node>(components).map(([kind, all]) => {
    const isKept = (name: string) =>
      kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`);
    return [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => isKept(name))),
    ] as const;
  });
  rest.components = Object.fromEntries(kept.filter(([, all]) => Object.keys(all).length > 0));
  return rest;
}
