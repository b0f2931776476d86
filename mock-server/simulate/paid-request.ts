/** A paid request as the service saw it. */
export interface PaidRequest {
  readonly key: string;
  readonly body: string;
  /** When it was first sent, counted in requests. */
  readonly order: number;
  accepted: boolean;
  /** Its response arrived. */
  responded: boolean;
}

const GENERATE = '/api/ai/content/generate';

/** Notes a request that costs money; undefined for any other. */
export function notePaidRequest(
  paid: Map<string, PaidRequest>,
  { method, url, headers }: Request,
  body: unknown,
): PaidRequest | undefined {
  const key = headers.get('idempotency-key');
  if (method !== 'POST' || key === null || !url.endsWith(GENERATE)) return undefined;
  const known = paid.get(key);
  if (known) return known;
  const order = paid.size;
  const noted = { key, body: String(body), order, accepted: false, responded: false };
  paid.set(key, noted);
  return noted;
}
