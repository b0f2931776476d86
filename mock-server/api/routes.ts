import { addRoute, createRouter, findRoute as matchRoute } from 'rou3';
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
const PREFIXES = ['', '/v2'];

const pattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function decoded(params: Record<string, string> | undefined): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(params ?? {})) {
    try {
      plain[name] = decodeURIComponent(value);
    } catch {
      plain[name] = value;
    }
  }
  return plain;
}

// Mocks without their own paths share their routes.
let standardRoutes: Routes | undefined;
let standardList: readonly ListedRoute[] | undefined;

/** The router: every operation with and without the prefix `/v2`. */
export function routesFor(deployment: Deployment | undefined): Routes {
  if (deployment?.json.paths || deployment?.json.absent) return createOwnRoutes(deployment);
  standardRoutes ??= createRoutes();
  return standardRoutes;
}

function createRoutes(): Routes {
  const router = createRouter<OperationId>();
  /** Paths without parameters, by path and method. Such a path never matches `/{id}`, whatever the method. */
  const literals = new Map<string, Map<string, Route>>();
  for (const [id, { method, path }] of Object.entries(operations)) {
    const operation = id as OperationId;
    for (const prefix of PREFIXES) {
      const whole = prefix + path;
      if (path.includes('{')) addRoute(router, method, pattern(whole), operation);
      else {
        const route = { operation, params: {} };
        literals.set(whole, new Map([...(literals.get(whole) ?? []), [method, route]]));
      }
    }
  }
  return {
    find(method, path) {
      const literal = literals.get(path);
      if (literal) return literal.get(method);
      if (path.endsWith('/')) return undefined;
      const found = matchRoute(router, method, path);
      return found && { operation: found.data, params: decoded(found.params) };
    },
    allowed(path) {
      if (path.endsWith('/')) return [];
      const own = literals.get(path);
      const methods = METHODS.filter((method) =>
        own ? own.has(method) : matchRoute(router, method, path),
      );
      return methods.includes('GET') ? ['GET', 'HEAD', ...methods.slice(1)] : methods;
    },
  };
}

/** The router of a deployment, whose paths can have any form. The path with the most text that is not a parameter wins. */
function createOwnRoutes(deployment: Deployment): Routes {
  const rows = Object.entries(operations)
    .filter(([id]) => deployment.has(id))
    .map(([id, { method, path }]) => {
      const operation = id as OperationId;
      const own = deployment.path(operation) ?? path;
      const names = [...own.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const texts = own.split(/\{\w+\}/);
      return { operation, method, names, texts, weight: texts.join('').length };
    })
    .sort((a, b) => a.names.length - b.names.length || b.weight - a.weight);
  const valuesIn = (path: string, texts: readonly string[]) =>
    valuesBetween(path, texts) ??
    (path.startsWith('/v2') ? valuesBetween(path.slice(3), texts) : undefined);
  const at = (path: string) => rows.filter(({ texts }) => valuesIn(path, texts));
  return {
    find(method, path) {
      const row = at(path).find((row) => row.method === method);
      if (!row) return undefined;
      const values = valuesIn(path, row.texts) ?? [];
      const params = Object.fromEntries(
        row.names.map((name, index) => [name, values[index] ?? '']),
      );
      return { operation: row.operation, params: decoded(params) };
    },
    allowed(path) {
      const methods = METHODS.filter((method) => at(path).some((row) => row.method === method));
      return methods.includes('GET') ? ['GET', 'HEAD', ...methods.slice(1)] : methods;
    },
  };
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

interface ListedRoute {
  readonly operation: OperationId;
  readonly method: string;
  readonly path: string;
}

/** Every operation once per prefix, parameters as `:name`, literal paths first. Other paths are none of a pattern. */
export function listRoutes(deployment: Deployment | undefined): readonly ListedRoute[] {
  if (deployment) return createList(deployment);
  standardList ??= createList();
  return standardList;
}

function createList(deployment?: Deployment): readonly ListedRoute[] {
  const weight = (path: string) => path.replaceAll(':', '\uffff');
  return Object.entries(operations)
    .filter(([id]) => deployment?.has(id) !== false)
    .flatMap(([id, { method, path }]) => {
      const operation = id as OperationId;
      const own = deployment?.path(operation) ?? path;
      if (!/^(?:\/(?:[\w.~-]+|\{\w+\}))+$/.test(own)) return [];
      return PREFIXES.map((prefix) => ({ operation, method, path: prefix + pattern(own) }));
    })
    .sort((a, b) => (weight(a.path) < weight(b.path) ? -1 : 1));
}

export const operationDetailsOf = (operation: OperationId): OperationDetails =>
  operationDetails[operation];

/** The operation that an alias stands for, or the operation itself. */
export const canonical = (operation: OperationId): OperationId =>
  operationDetailsOf(operation).aliasOf ?? operation;

export { problemCodes } from '../../src/generated/operations.ts';
export { operationDetails };

/** Finds the operation for method and path, or rejects with 404 or 405. */
export function findRoute(call: Call, principal: Principal): Route | CallRejection {
  const { path, request, service } = call;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = service.routes.find(method, path);
  const { deployment } = service.options;
  if (route && deployment?.has(route.operation) !== false) return route;

  const headers = rateHeaders(call, principal);
  if (route) {
    return { ...reject('not_found', 'This deployment does not have the operation.'), headers };
  }
  const publicMethods = method !== 'GET' && isPublicPath(path) ? ['GET', 'HEAD'] : [];
  const allowed = [...service.routes.allowed(path), ...publicMethods];
  if (allowed.length === 0) {
    return { ...reject('not_found', 'There is no such path.'), headers };
  }
  const allow = allowed.join(', ');
  const detail = `${request.method} is not allowed here. Allowed: ${allow}.`;
  return { ...reject('method_not_allowed', detail), headers: { ...headers, allow } };
}
