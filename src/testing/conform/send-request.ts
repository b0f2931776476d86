import { longestTimerMs } from '../../options/rules.ts';
import { clearTimer, onAbort, setTimer } from '../../platform/driver.ts';

/** A response, or the reason why none arrived. */
export interface Answer {
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the body, or the error. */
  readonly text: string;
}

const maxBytes = 256 * 1024;

/** Sends one request, for at most so many ms. Follows no redirect, and never throws. */
export async function sendRequest(
  fetch: (request: Request) => Promise<Response>,
  url: string,
  init: RequestInit,
  { limitMs, stop }: { readonly limitMs: number; readonly stop: AbortSignal | undefined },
): Promise<Answer> {
  // Edge runtimes have no AbortSignal.any.
  const ending = new AbortController();
  const late = () => new DOMException(`${limitMs} ms are over`, 'TimeoutError');
  const timer = setTimer(() => ending.abort(late()), Math.min(limitMs, longestTimerMs));
  const unfollow = onAbort(stop, () => ending.abort(stop?.reason));
  try {
    const request = new Request(url, { ...init, redirect: 'manual', signal: ending.signal });
    const response = await fetch(request);
    return {
      status: response.status,
      headers: response.headers,
      text: await beginningOf(response),
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const { code, name, message } = cause as Error & { readonly code?: string };
    return { status: 0, headers: new Headers(), text: `${code ?? name ?? 'error'}: ${message}` };
  } finally {
    clearTimer(timer);
    unfollow();
  }
}

/** The beginning of a body: a server that never stops is left. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes <= maxBytes) continue;
    await reader.cancel();
    return text;
  }
}
