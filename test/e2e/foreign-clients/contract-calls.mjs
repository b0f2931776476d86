import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The contract that every tool reads. */
export const contract = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));

const document = parse(readFileSync(contract, 'utf8'));

const resolve = ({ $ref, ...inline }) =>
  $ref
    ? $ref
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], document)
    : inline;

/**
 * A call of each operation with its own examples; an operation with several examples of its body is called with each.
 * `path`, `query` and `headers` are pairs of a name and a value.
 */
export const contractCalls = Object.entries(document.paths).flatMap(([template, item]) =>
  Object.entries(item).flatMap(([method, { operationId, parameters = [], requestBody }]) => {
    const examples = parameters.map(resolve).filter(({ example }) => example !== undefined);
    const from = (place) =>
      examples.flatMap((one) => (one.in === place ? [[one.name, one.example]] : []));
    const call = { operation: operationId, method: method.toUpperCase(), template };
    const sent = { path: from('path'), query: from('query'), headers: from('header') };
    const bodies = Object.values(requestBody?.content['application/json'].examples ?? {});
    if (bodies.length === 0) return [{ ...call, ...sent }];
    return bodies.map((body) => ({ ...call, ...sent, body: resolve(body).value }));
  }),
);

/** Every operation of the contract. */
export const operationIds = [...new Set(contractCalls.map(({ operation }) => operation))];

/** The path of a call with its ids and its query. */
export function pathOf({ template, path, query }) {
  const filled = path.reduce((text, [name, value]) => text.replace(`{${name}}`, value), template);
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
}
