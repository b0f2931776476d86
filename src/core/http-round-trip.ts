import { resolveCallOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { AttemptFailed } from './exchange.ts';
import { toError } from './failure.ts';
import { randomKey } from './runtime.ts';
import { type Answer, send, type Transport } from './send.ts';

/** The `fetch` under `client.http`: the logical call, retries included. */
export async function roundTrip(
  transport: Transport,
  operation: OperationId | undefined,
  request: Request,
): Promise<Response> {
  const { method, url, signal, body } = request;
  const limits = resolveCallOptions(undefined, transport.options.limits);
  const headers = Object.fromEntries(request.headers);
  if (method === 'POST') headers['idempotency-key'] ??= randomKey();
  const answer = await send(transport, {
    operation,
    method,
    url,
    headers,
    body: body ? await request.text() : undefined,
    expects: 'anything',
    limits,
    signal,
    idempotencyKey: headers['idempotency-key'],
  });
  return toResponse(answer);
}

/** The answer as a `Response` again: its body was read, or is being read, under the limits of the call. */
function toResponse({ response, text, stream, scope }: Answer): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  if (!stream) return new Response(text, { status, statusText, headers });
  const end = () => {
    stream.close();
    scope.close();
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const bytes = await stream.read();
        if (bytes) return controller.enqueue(bytes);
        controller.close();
      } catch (error) {
        controller.error(error instanceof AttemptFailed ? toError(error.failure, {}) : error);
      }
      end();
    },
    cancel: end,
  });
  return new Response(body, { status, statusText, headers });
}
