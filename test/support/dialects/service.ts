import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a dialect's routes are given: one request, its body read and parsed. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body, `{}` for none and `undefined` for one that is not a JSON object. */
  readonly body: Record<string, unknown> | undefined;
}

/** One answer: a status, a body (a string is sent as it is) and further headers. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A service that is running on a loopback port. */
export interface Served {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** Serves `answer` on a loopback port; `lost` closes the connection in place of a response. */
export async function serve(
  credentials: { apiKey: string; secret: string },
  answer: (asked: Asked) => Answer | 'lost' | Promise<Answer | 'lost'>,
): Promise<Served> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://service.invalid');
    const call: Asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: parseObject(Buffer.concat(chunks).toString()),
    };
    asked.push(call);
    const given = await answer(call);
    if (given === 'lost') request.socket.destroy();
    else send(response, given);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    ...credentials,
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, {
    ...(body !== undefined && { 'content-type': isText ? 'text/html' : 'application/json' }),
    ...headers,
  });
  response.end(body === undefined || isText ? body : JSON.stringify(body));
}

/** Resolves after `ms`. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Posts a callback and forgets it; `headersFor` sees the bytes that are sent. */
export function postCallback(
  url: string,
  body: unknown,
  headersFor: (payload: string) => Record<string, string>,
): void {
  const payload = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', ...headersFor(payload) };
  fetch(url, { method: 'POST', headers, body: payload }).then(
    (response) => response.body?.cancel(),
    () => undefined,
  );
}

/** Whether `value` is an absolute HTTP or HTTPS URL. */
export function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value);
}
