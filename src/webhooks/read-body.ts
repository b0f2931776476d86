import type { Settings } from './settings.ts';

type Refuse = (
  code: 'body_already_parsed' | 'body_too_large' | 'body_not_json',
  detail?: string,
  cause?: unknown,
) => never;

/** Reads a body of at most `maxBytes`; what comes beyond is neither kept nor waited for. */
export async function readBody(
  { body, bodyUsed, headers }: Request,
  maxBytes: number,
  refuse: Refuse,
): Promise<Uint8Array> {
  if (bodyUsed || body?.locked) refuse('body_already_parsed');
  let length = Number(headers.get('content-length'));
  if (length > maxBytes) refuse('body_too_large');
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  length = 0;
  while (reader) {
    const { done, value } = await reader
      .read()
      .catch((cause) => refuse('body_not_json', 'connection lost', cause));
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      reader.cancel().catch(() => {});
      refuse('body_too_large');
    }
    chunks.push(value);
  }
  return chunks.length === 1
    ? (chunks[0] as Uint8Array)
    : new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Verifies what a `Request` holds. */
export async function verifyRequest<Outcome>(
  settings: Settings,
  request: Request,
  verify: (settings: Settings, headers: Headers, body: Uint8Array) => Outcome,
  refuse: Refuse,
): Promise<Awaited<Outcome>> {
  const body = await readBody(request, settings.maxBodyBytes, refuse);
  return await verify(settings, request.headers, body);
}
