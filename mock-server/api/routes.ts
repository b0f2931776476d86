import {
  type OperationDetails,
  type OperationId,
  operationDetails,
  operations,
} from '../../src/generated/operations.ts';
import type { Deployment } from '../domain/deployment.ts';
import { reject } from '../domain/rejection.ts';
import type { Call, CallRejection, Principal, Route, Routes } from './call.ts';
import { isPublicPath } from './public-documents.ts';
import { rateHeaders } from './rate-limit.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'];
const PREFIX = '/v2';

export interface Row {
  readonly operation: OperationId;
  readonly method: string;
  readonly path: string;
}

interface Template extends Row {
  readonly names: readonly string[];
  /** What stands before, between and after the parameters. */
  readonly texts: readonly string[];
}

const rowsOf = (deployment: Deployment | undefined): Row[] =>
  Object.entries(operations)
    .filter(([id]) => deployment?.has(id) !== false)
    .map(([id, { method, path }]) => {
      const operation = id as OperationId;
      return { operation, method, path: deployment?.path(operation) ?? path };
    });

/** The router: every operation with and without the prefix `/v2`. Paths of a deployment can have any form. */
export function createRoutes(deployment: Deployment | undefined): Routes {
  /** Paths without parameters. Such a path never matches `/{id}`, whatever the method. */
  const literals = new Map<string, Row[]>();
  const templates: Template[] = [];
  for (const row of rowsOf(deployment)) {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const texts = row.path.split(/\{\w+\}/);
    if (names.length > 0) templates.push({ ...row, names, texts });
    else literals.set(row.path, [...(literals.get(row.path) ?? []), row]);
  }
  // The path with the most text that is not a parameter wins.
  const weight = ({ texts }: Template) => texts.join('').length;
  templates.sort((a, b) => a.names.length - b.names.length || weight(b) - weight(a));

  const withPrefix = (path: string) => path.startsWith(`${PREFIX}/`);
  const literalsAt = (path: string) =>
    literals.get(path) ?? (withPrefix(path) ? literals.get(path.slice(PREFIX.length)) : undefined);
  const valuesIn = (path: string, { texts }: Template) =>
    valuesBetween(path, texts) ??
    (withPrefix(path) ? valuesBetween(path.slice(PREFIX.length), texts) : undefined);

  return {
    find(method, path) {
      const rows = literalsAt(path);
      if (rows) {
        const literal = rows.find((row) => row.method === method);
        return literal && { operation: literal.operation, params: {} };
      }
      for (const row of templates) {
        const values = row.method === method ? valuesIn(path, row) : undefined;
        if (!values) continue;
        const params = row.names.map((name, at) => [name, decoded(values[at] ?? '')]);
        return { operation: row.operation, params: Object.fromEntries(params) };
      }
      return undefined;
    },
    allowed(path) {
      const rows = literalsAt(path) ?? templates.filter((row) => valuesIn(path, row));
      const methods = METHODS.filter((method) => rows.some((row) => row.method === method));
      return methods.includes('GET') ? ['GET', 'HEAD', ...methods.slice(1)] : methods;
    },
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The parts of a path between these texts, each of at least one character and without a slash. */
function valuesBetween(path: string, texts: readonly string[]): string[] | undefined {
  const [start = '', ...rest] = texts;
  if (!path.startsWith(start)) return undefined;
  const values: string[] = [];
  let from = start.length;
  for (const [index, text] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const to = isLast ? path.length - text.length : path.indexOf(text, from + 1);
    const value = to > from ? path.slice(from, to) : '';
    if (value === '' || value.includes('/') || !path.startsWith(text, to)) return undefined;
    values.push(value);
    from = to + text.length;
  }
  return from === path.length ? values : undefined;
}

/** Every operation once per prefix, parameters as `:name`, literal paths first. Other paths are none of a pattern. */
export function listRoutes(deployment: Deployment | undefined): readonly Row[] {
  const weight = ({ path }: Row) => path.replaceAll(':', '\uffff');
  return rowsOf(deployment)
    .filter(({ path }) => /^(?:\/(?:[\w.~-]+|\{\w+\}))+$/.test(path))
    .map((row) => ({ ...row, path: row.path.replace(/\{(\w+)\}/g, ':$1') }))
    .flatMap((row) => [row, { ...row, path: PREFIX + row.path }])
    .sort((a, b) => (weight(a) < weight(b) ? -1 : 1));
}

export const operationDetailsOf = (operation: OperationId): OperationDetails =>
  operationDetails[operation];

export const canonical = (operation: OperationId): OperationId =>
  operationDetailsOf(operation).aliasOf ?? operation;

export { problemCodes } from '../../src/generated/operations.ts';
export { operationDetails };

export function findRoute(call: Call, principal: Principal): Route | CallRejection {
  const { path, request, service } = call;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = service.routes.find(method, path);
  if (route) return route;

  const headers = rateHeaders(call, principal);
  const publicMethods = method !== 'GET' && isPublicPath(path) ? ['GET', 'HEAD'] : [];
  const allowed = [...service.routes.allowed(path), ...publicMethods];
  if (allowed.length === 0) {
    return { ...reject('not_found', 'There is no such path.'), headers };
  }
  const allow = allowed.join(', ');
  const detail = `${request.method} is not allowed here. Allowed: ${allow}.`;
  return { ...reject('method_not_allowed', detail), headers: { ...headers, allow } };
}
