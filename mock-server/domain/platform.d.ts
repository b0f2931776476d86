/**
 * The only platform APIs that the domain can use, all of which every JavaScript runtime has.
 * `lib` is ES2023 and `types` is empty here, so `fetch`, `Request`, timers and `process` do not compile.
 */

interface URL {
  readonly hostname: string;
  readonly protocol: string;
}

declare var URL: {
  prototype: URL;
  new (url: string): URL;
  canParse(url: string): boolean;
};

interface TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare var TextEncoder: {
  prototype: TextEncoder;
  new (): TextEncoder;
};

interface TextDecoder {
  decode(input?: Uint8Array<ArrayBuffer>): string;
}

declare var TextDecoder: {
  prototype: TextDecoder;
  new (): TextDecoder;
};

declare function btoa(data: string): string;

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

declare var AbortSignal: {
  prototype: AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare var AbortController: {
  prototype: AbortController;
  new (): AbortController;
};
