import known from './webhooks.json' with { type: 'json' };

/** One of the three forms of a vector's body. */
interface BodyOf {
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly bodyRepeat?: { readonly text: string; readonly times: number };
}

export interface HmacVector {
  readonly name: string;
  readonly keyHex: string;
  readonly dataHex: string;
  readonly hmacHex: string;
  readonly truncatedTo?: number;
}

export interface SignVector extends BodyOf {
  readonly name: string;
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  readonly signature: string;
  readonly expect?: { readonly outcome: 'configuration' };
}

export interface VerifyVector {
  readonly name: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBase64: string;
  readonly now: number;
  readonly tolerance: number;
  readonly expect: {
    readonly outcome: 'accept' | 'reject' | 'configuration' | 'either';
    readonly codes?: readonly string[];
  };
}

/** Test vectors: RFC 4231, signatures from other libraries, and deliveries with the expected outcome. */
export const vectors = known as {
  readonly hmacSha256: readonly HmacVector[];
  readonly sign: readonly SignVector[];
  readonly verify: readonly VerifyVector[];
};

/** The bytes of a vector's body. */
export function bodyOf({ body, bodyBase64, bodyRepeat }: BodyOf): Uint8Array {
  if (bodyBase64 !== undefined) return new Uint8Array(Buffer.from(bodyBase64, 'base64'));
  const text = bodyRepeat ? bodyRepeat.text.repeat(bodyRepeat.times) : (body ?? '');
  return new TextEncoder().encode(text);
}
