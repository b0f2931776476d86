import type { HeadersInput } from '../read-delivery.ts';
import { capLength, toBytes } from '../read-delivery.ts';
import { type AdaptedHandler, dispatch } from './dispatch.ts';

/** The part of an event that is read: API Gateway REST (v1), HTTP API and function URLs (v2), load balancers. */
export interface LambdaEvent {
  readonly httpMethod?: string | undefined;
  readonly path?: string | undefined;
  readonly rawPath?: string | undefined;
  readonly rawQueryString?: string | undefined;
  readonly headers?: { readonly [name: string]: string | undefined } | null | undefined;
  readonly multiValueHeaders?: { readonly [name: string]: string[] | undefined } | null | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  readonly requestContext?:
    | {
        readonly domainName?: string | undefined;
        readonly http?: { readonly method?: string | undefined } | undefined;
      }
    | undefined;
}

/** A response that both versions accept. */
export interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded: false;
}

/**
 * Adapts a webhook handler to Lambda: API Gateway (v1 and v2 payloads), a function URL or a load balancer.
 *
 * @example
 * export const main = toLambdaHandler(createWebhookHandler({ secret, on }));
 */
export function toLambdaHandler(
  handler: AdaptedHandler,
): (event: LambdaEvent) => Promise<LambdaResult> {
  return async (event) => {
    const { requestContext: context, body: text } = event;
    const query = event.rawQueryString ? `?${event.rawQueryString}` : '';
    const { status, headers, body } = await dispatch(handler, {
      method: context?.http?.method ?? event.httpMethod ?? 'GET',
      url: `https://${context?.domainName ?? 'localhost'}${event.rawPath ?? event.path ?? '/'}${query}`,
      headers: (event.multiValueHeaders ?? event.headers ?? {}) as HeadersInput,
      readBody: async (maxBytes) => {
        const bytes = event.isBase64Encoded
          ? Buffer.from(text ?? '', 'base64')
          : toBytes(text ?? '');
        capLength(bytes.length, maxBytes);
        return bytes;
      },
    });
    return { statusCode: status, headers: { ...headers }, body, isBase64Encoded: false };
  };
}
