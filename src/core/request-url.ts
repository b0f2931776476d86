import { createFinalURL, createQuerySerializer } from 'openapi-fetch';
import type { Deployment } from '../deployment-port.ts';
import type { OperationId } from '../types.ts';

const querySerializer = /* @__PURE__ */ createQuerySerializer();

/** The URL of a request, as openapi-fetch builds it. @throws TypeError for an id that would reach another endpoint */
export const urlOf = (
  baseUrl: string,
  template: string,
  path: object | undefined,
  query?: object,
): string =>
  createFinalURL(template, {
    baseUrl,
    params: { path: path as Record<string, unknown>, query: query as Record<string, unknown> },
    querySerializer,
    pathSerializer: fillPath,
  });

/**
 * Fills the `{name}` placeholders of a path with percent-encoded ids.
 * @throws TypeError for an id that is not a string, or is empty, `.` or `..`: it would reach another endpoint
 */
export function fillPath(template: string, params: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(value)) {
      throw new TypeError(`${name} must be an id: a string other than "", "." and "..".`);
    }
    return encodeURIComponent(value);
  });
}

export function inTheirNames(
  deployment: Deployment | undefined,
  operation: OperationId | undefined,
  query: object | undefined,
  body: object | null | undefined,
): { readonly query: object | undefined; readonly body: object | null | undefined } {
  if (!deployment || !operation) return { query, body };
  const { toTheirs } = deployment;
  return { query: toTheirs.query(operation, query), body: toTheirs.request(operation, body) };
}
