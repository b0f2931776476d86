import { capLength, toBytes } from '../verify.ts';
import { type AdaptedHandler, assertHandler, dispatch } from './dispatch.ts';

/** The part of an event that is read: API Gateway REST (v1), HTTP API and function URLs (v2), load balancers, VPC Lattice. */
export interface LambdaEvent {
  /** The method, in payload format 1.0. */
  readonly httpMethod?: string | undefined;
  /** The path, in payload format 1.0. */
  readonly path?: string | undefined;
  /** The path, in payload format 2.0. */
  readonly rawPath?: string | undefined;
  /** The path with the query, from VPC Lattice (1.0). */
  readonly raw_path?: string | undefined;
  /** The method, from VPC Lattice. */
  readonly method?: string | undefined;
  /** The query, in payload format 2.0. */
  readonly rawQueryString?: string | undefined;
  /** The headers; format 2.0 joins repeated ones with a comma, VPC Lattice (2.0) lists them. */
  readonly headers?:
    | { readonly [name: string]: string | readonly string[] | undefined }
    | null
    | undefined;
  /** The headers, in payload format 1.0 and from load balancers. */
  readonly multiValueHeaders?: { readonly [name: string]: string[] | undefined } | null | undefined;
  /** The body, as text or Base64. */
  readonly body?: string | null | undefined;
  /** Whether the body is Base64. */
  readonly isBase64Encoded?: boolean | undefined;
  /** The same, from VPC Lattice (1.0). */
  readonly is_base64_encoded?: boolean | undefined;
  /** What the gateway knows about the request. */
  readonly requestContext?:
    | {
        /** The host name of the gateway. */
        readonly domainName?: string | undefined;
        /** The request, in payload format 2.0. */
        readonly http?:
          | {
              /** The method, in payload format 2.0. */
              readonly method?: string | undefined;
            }
          | undefined;
      }
    | undefined;
}

/** A response that both versions accept. */
export interface LambdaResult {
  /** The HTTP status. */
  readonly statusCode: number;
  /** The headers. */
  readonly headers: Record<string, string>;
  /** The body, as text. */
  readonly body: string;
  /** Always `false`: the body is text. */
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
  assertHandler(handler, 'toLambdaHandler');
  return async (event) => {
    const { requestContext: context, body: text, multiValueHeaders: lists } = event;
    const path = event.rawPath ?? event.raw_path ?? event.path ?? '/';
    const isEncoded = event.isBase64Encoded ?? event.is_base64_encoded;
    // A load balancer that is set up for lists leaves `headers` out; some tools add an empty object.
    const hasLists = Object.keys(lists ?? {}).length > 0;
    const query = event.rawQueryString ? `?${event.rawQueryString}` : '';
    const { status, headers, body } = await dispatch(handler, {
      method: context?.http?.method ?? event.httpMethod ?? event.method ?? 'GET',
      url: `https://${context?.domainName ?? 'localhost'}${path}${query}`,
      headers: (hasLists ? lists : event.headers) ?? {},
      readBody: async (maxBytes) => {
        // A middleware can have parsed it, encoded or not.
        const given: unknown = text ?? '';
        const bytes =
          isEncoded && typeof given === 'string' ? Buffer.from(given, 'base64') : toBytes(given);
        capLength(bytes.length, maxBytes);
        return bytes;
      },
    });
    return { statusCode: status, headers: { ...headers }, body, isBase64Encoded: false };
  };
}
