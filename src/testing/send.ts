import { onAbort } from '../platform/driver.ts';
import { readUpTo } from '../read-up-to.ts';
import { kindOf, misconfigured } from '../signing/errors.ts';
import { type SignedDelivery, toRequest } from './test-request.ts';

/** A receiver under test: its fetch handler, or the URL where it listens. */
export type Target = ((request: Request) => Response | Promise<Response>) | string | URL;

/** @internal @throws WebhookConfigurationError when nothing could be sent to it. */
export function assertTarget(target: unknown): void {
  if (typeof target === 'function') return;
  const isText = typeof target === 'string' || target instanceof URL;
  if (isText && /^https?:/i.test(String(target)) && URL.canParse(String(target))) return;
  misconfigured(
    `the receiver is ${kindOf(target)}, neither a handler nor an http: or https: URL`,
    'Pass what createWebhookHandler returns, or the URL where the receiver listens.',
  );
}

/** The response of a receiver under test. */
export interface TargetResponse {
  /** 0 if there was none: no connection, a timeout, or a handler that threw. */
  readonly status: number;
  /** At most the first 1 024 characters; with status 0, the error. */
  readonly body: string;
  /** How long the response took, ms. */
  readonly durationMs: number;
}

const snippetLength = 1024;
/** What the service reads of a response; the status of a longer one counts. */
const maxBytes = 16 * 1024;

async function readStart({ body }: Response): Promise<string> {
  if (!body) return '';
  const { bytes } = await readUpTo(body, maxBytes);
  return new TextDecoder().decode(bytes).slice(0, snippetLength);
}

/** Sends one attempt like the service does: no redirects, one time limit over everything. */
export async function send(
  target: Target,
  delivery: SignedDelivery,
  timeoutMs: number,
): Promise<TargetResponse> {
  const start = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  let status = 0;
  const attempt = async (): Promise<Omit<TargetResponse, 'durationMs'>> => {
    const url = typeof target === 'function' ? delivery.url : String(target);
    const request = toRequest({ ...delivery, url }, signal);
    const response = await (typeof target === 'function' ? target(request) : fetch(request));
    status = response.status;
    return { status, body: await readStart(response) };
  };
  // A handler can ignore the signal of its request, so the limit is enforced here too.
  let stopListening = () => {};
  const timeout = new Promise<never>((_resolve, reject) => {
    stopListening = onAbort(signal, () => reject(signal.reason));
  });
  try {
    const response = await Promise.race([attempt(), timeout]);
    return { ...response, durationMs: performance.now() - start };
  } catch (error) {
    const isEndless = status > 0 && signal.aborted;
    const body = isEndless
      ? `The receiver responded ${status}, but the body of its response did not end.`
      : error instanceof Error
        ? `${error.name}: ${error.message}`
        : String(error);
    return { status: 0, body, durationMs: performance.now() - start };
  } finally {
    stopListening();
  }
}
