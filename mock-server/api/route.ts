import { reject } from '../domain/rejection.ts';
import type { AuthenticatedCall, Next, RoutedCall } from './call-context.ts';
import { publicMethods } from './public-documents.ts';
import { rateHeaders } from './rate-limit.ts';

/** Step: finds the operation for method and path, or rejects with 404 or 405. */
export function findRoute(call: AuthenticatedCall): Next<AuthenticatedCall | RoutedCall> {
  const { path, request } = call;
  const { routes } = call.service;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = routes.find(method, path);
  if (route) return { ...call, route };

  const headers = rateHeaders(call);
  const allowed = [...routes.allowed(path), ...(method === 'GET' ? [] : publicMethods(path))];
  if (allowed.length === 0) {
    return { ...call, headers, outcome: reject('not_found', 'There is no such path.') };
  }
  const allow = allowed.join(', ');
  const detail = `${request.method} is not allowed here. Allowed: ${allow}.`;
  const outcome = reject('method_not_allowed', detail);
  return { ...call, headers: { ...headers, allow }, outcome };
}
