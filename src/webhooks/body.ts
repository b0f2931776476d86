import { encoder } from '../signing/signature.ts';
import { refuse } from './refusal.ts';

/** A body as a framework may hand it over, before anything parsed it. */
export type BodyInput = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** The bytes of a body; a text is encoded once, bytes are viewed and not copied. */
export function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // An ArrayBuffer of any realm; what else has such a member cannot match a signature.
  if ((body as ArrayBuffer)?.byteLength >= 0) return new Uint8Array(body as ArrayBuffer);
  return refuse('body_already_parsed');
}

/** Refuses a length, declared or counted, that is over the cap. */
export function capLength(length: string | number | null | undefined, maxBytes: number): void {
  if (Number(length) > maxBytes) refuse('body_too_large');
}
