import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../support/sources.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Record<string, Response>;
  readonly callbacks?: Record<string, Record<string, PathItem>>;
  readonly 'x-role'?: string;
}

export interface Body {
  readonly content?: Record<string, MediaType>;
}

export interface Response extends Body {
  readonly headers?: Record<string, unknown>;
}

export interface MediaType {
  readonly schema: { readonly $ref?: string };
  readonly examples?: Record<string, { readonly value?: unknown }>;
}

export type PathItem = Record<string, Operation>;

interface Contract {
  readonly paths: Record<string, PathItem>;
  readonly webhooks: Record<string, PathItem>;
  readonly components: Record<string, Record<string, unknown>>;
}

/** The parsed contract. */
export const contract: Contract = parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'));

/** The node that a `$ref` points to, or the node itself. */
export function resolve<Node>(node: Node): Node {
  const reference = (node as { $ref?: string } | undefined)?.$ref;
  if (!reference) return node;
  const parts = reference.slice(2).split('/');
  return resolve(
    parts.reduce((at: unknown, part) => (at as Record<string, unknown>)[part], contract) as Node,
  );
}

/** Name of the component schema that a media type references. */
export function schemaName(media: MediaType | undefined): string | undefined {
  return media?.schema.$ref?.split('/').at(-1);
}

/** Every operation of the service. */
export function operations(): Operation[] {
  return Object.values(contract.paths).flatMap((item) => Object.values(item));
}

/** Every message that the service posts: webhooks, and callbacks of operations. */
export function messages(): { readonly name: string; readonly operation: Operation }[] {
  const callbacks = operations().flatMap(({ callbacks: named = {} }) =>
    Object.entries(named).flatMap(([name, expressions]) =>
      Object.values(expressions).map((item) => [name, item] as const),
    ),
  );
  return [...Object.entries(contract.webhooks), ...callbacks].map(([name, item]) => {
    const operation = item['post'];
    if (!operation) throw new Error(`The contract declares no POST for ${name}.`);
    return { name, operation };
  });
}

/** Every media type with examples, and a readable name for it. */
export function mediaTypes(): { readonly name: string; readonly media: MediaType }[] {
  const found = [...operations(), ...messages().map(({ operation }) => operation)].flatMap(
    ({ operationId, requestBody, responses }) => [
      { name: `${operationId} body`, body: requestBody },
      ...Object.entries(responses).map(([status, response]) => ({
        name: `${operationId} ${status}`,
        body: resolve(response) as Body,
      })),
    ],
  );
  return found.flatMap(({ name, body }) =>
    Object.entries(resolve(body)?.content ?? {}).map(([type, media]) => ({
      name: `${name} ${type}`,
      media,
    })),
  );
}
