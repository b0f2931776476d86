import type { IncomingHttpHeaders } from 'node:http';
import { complete } from '../core/read-response.ts';

/** A response without its body. */
export interface ResponseHead {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * A `Response` that creates a real one only when more is needed than its status, its headers and the text of a body that
 * has already arrived. Creating a real one and reading it costs as much as the rest of a call.
 */
class LightResponse {
  readonly #head: ResponseHead;
  readonly #body: Uint8Array | ReadableStream<Uint8Array> | null;
  #headers: Headers | undefined;
  #real: Response | undefined;
  #used = false;

  constructor(head: ResponseHead, body: Uint8Array | ReadableStream<Uint8Array> | null) {
    this.#head = head;
    this.#body = body;
  }

  /** Read by the client, which then applies no idle limit. */
  get [complete](): boolean {
    return this.#body instanceof Uint8Array && !this.#real && !this.#used;
  }
  get status(): number {
    return this.#head.status;
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  get statusText(): string {
    return this.#head.statusText;
  }
  get url(): string {
    return this.#head.url;
  }
  get redirected(): boolean {
    return false;
  }
  get type(): ResponseType {
    return 'default';
  }
  get headers(): Headers {
    if (!this.#headers) {
      this.#headers = new Headers();
      for (const name in this.#head.headers) {
        const value = this.#head.headers[name];
        if (typeof value === 'string') this.#headers.append(name, value);
        else for (const item of value ?? []) this.#headers.append(name, item);
      }
    }
    return this.#headers;
  }
  get body(): ReadableStream<Uint8Array> | null {
    return this.#response().body;
  }
  get bodyUsed(): boolean {
    return this.#used || (this.#real?.bodyUsed ?? false);
  }

  async text(): Promise<string> {
    if (!this[complete]) return this.#response().text();
    this.#used = true;
    return new TextDecoder().decode(this.#body as Uint8Array);
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#response().arrayBuffer();
  }
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.arrayBuffer());
  }
  async blob(): Promise<Blob> {
    return this.#response().blob();
  }
  async formData(): Promise<FormData> {
    return this.#response().formData();
  }
  clone(): Response {
    return this.#response().clone();
  }

  #response(): Response {
    if (!this.#real) {
      const { status, statusText } = this.#head;
      const body = this.#body as BodyInit | null;
      this.#real = new Response(body, { status, statusText, headers: this.headers });
      // Already read: reading it again fails, as it does with `fetch`.
      if (this.#used) void this.#real.text();
    }
    return this.#real;
  }
}

/** Creates a light response, for which `instanceof Response` is true. */
export function lightResponse(
  head: ResponseHead,
  body: Uint8Array | ReadableStream<Uint8Array> | null,
): Response {
  if (Object.getPrototypeOf(LightResponse.prototype) === Object.prototype) {
    Object.setPrototypeOf(LightResponse.prototype, Response.prototype);
  }
  return new LightResponse(head, body) as unknown as Response;
}
