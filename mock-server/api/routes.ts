import { addRoute, createRouter, findRoute } from 'rou3';
import {
  type OperationDetails,
  type OperationId,
  operationDetails,
  operations,
} from '../../src/generated/operations.ts';

/** A deployment's own paths of operations, without a prefix. */
export type Paths = Readonly<Partial<Record<OperationId, string>>>;

export interface Route {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
}

export interface Routes {
  find(method: string, path: string): Route | undefined;
  /** Methods that the path allows; none if the path is unknown. */
  allowed(path: string): string[];
}

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

/** The router: every operation with and without the prefix `/v2`. */
export function createRoutes(paths: Paths = {}): Routes {
  const router = createRouter<OperationId>();
  /** Methods by path, for paths without parameters: with any method, such a path never matches `/{id}`. */
  const literals = new Map<string, string[]>();
  for (const [id, { method, path }] of Object.entries(operations)) {
    const operation = id as OperationId;
    const own = paths[operation] ?? path;
    for (const prefix of PREFIXES) {
      addRoute(router, method, pattern(prefix + own), operation);
      if (own.includes('{')) continue;
      literals.set(prefix + own, [...(literals.get(prefix + own) ?? []), method]);
    }
  }
  return {
    find(method, path) {
      if (path.endsWith('/')) return undefined;
      if (literals.get(path)?.includes(method) === false) return undefined;
      const found = findRoute(router, method, path);
      return found && { operation: found.data, params: decoded(found.params) };
    },
    allowed(path) {
      if (path.endsWith('/')) return [];
      const own = literals.get(path);
      const methods = METHODS.filter((method) =>
        own ? own.includes(method) : findRoute(router, method, path),
      );
      return methods.includes('GET') ? ['GET', 'HEAD', ...methods.slice(1)] : methods;
    },
  };
}

/** Every operation once per prefix, parameters as `:name`, literal paths first. */
export function listRoutes(
  paths: Paths = {},
): { operation: OperationId; method: string; path: string }[] {
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
