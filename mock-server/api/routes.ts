import { addRoute, createRouter, findRoute as matchRoute } from 'rou3';
import {
  type OperationDetails,
  type OperationId,
  operationDetails,
  operations,
} from '../../src/generated/operations.ts';
import { reject } from '../domain/rejection.ts';
import type { Call, CallRejection, Paths, Principal, Route, Routes } from './call.ts';
import { isPublicPath } from './public-documents.ts';
import { rateHeaders } from './rate-limit.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'];
const PREFIXES = ['', '/v2'];

const pattern = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');

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

const parametersOf = (path: string): string => (path.match(/\{[^}]+\}/g) ?? []).sort().join();

/** What is wrong with a deployment's paths, if anything. */
export function pathsError(paths: Paths): string | undefined {
  for (const [operation, path] of Object.entries(paths)) {
    if (!Object.hasOwn(operations, operation))
      return `paths.${operation} is not an operation of the service.`;
    if (!/^(?:\/(?:[\w.~-]+|\{\w+\}))+$/.test(path)) {
      return `paths.${operation} must start with a slash, and each segment must be plain text or a {parameter}.`;
    }
    const own = operations[operation as OperationId].path;
    if (parametersOf(path) === parametersOf(own)) continue;
    return `paths.${operation} must have the same parameters as ${own}.`;
  }
  return undefined;
}

// Mocks without their own paths share their routes.
let standardRoutes: Routes | undefined;
let standardList: readonly ListedRoute[] | undefined;

/** The router: every operation with and without the prefix `/v2`. */
export function routesFor(paths: Paths | undefined): Routes {
  if (paths) return createRoutes(paths);
  standardRoutes ??= createRoutes({});
  return standardRoutes;
}

function createRoutes(paths: Paths): Routes {
  const router = createRouter<OperationId>();
  /** Paths without parameters, by path and method. Such a path never matches `/{id}`, whatever the method. */
  const literals = new Map<string, Map<string, Route>>();
  for (const [id, { method, path }] of Object.entries(operations)) {
    const operation = id as OperationId;
    const own = paths[operation] ?? path;
    for (const prefix of PREFIXES) {
      const whole = prefix + own;
      if (own.includes('{')) addRoute(router, method, pattern(whole), operation);
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

interface ListedRoute {
  readonly operation: OperationId;
  readonly method: string;
  readonly path: string;
}

/** Every operation once per prefix, parameters as `:name`, literal paths first. */
export function listRoutes(paths: Paths | undefined): readonly ListedRoute[] {
  if (paths) return createList(paths);
  standardList ??= createList({});
  return standardList;
}

function createList(paths: Paths): readonly ListedRoute[] {
  const weight = (path: string) => path.replaceAll(':', '\uffff');
  return Object.entries(operations)
    .flatMap(([id, { method, path }]) => {
      const operation = id as OperationId;
      const own = pattern(paths[operation] ?? path);
      return PREFIXES.map((prefix) => ({ operation, method, path: prefix + own }));
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
  const { absent = [] } = service.options.deployment ?? {};
  if (route && !absent.includes(route.operation)) return route;

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
