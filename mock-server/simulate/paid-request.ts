import type { Life } from './life.ts';

export interface PaidRequest {
  readonly key: string;
  readonly body: string;
  /** When it was first sent, counted in requests. */
  readonly order: number;
  readonly life: Life | undefined;
  /** How many requests there were when the first attempt of it failed, unless the instance crashed. */
  failedAt?: number;
  /** The `X-Request-Id` of each response that accepted it. */
  readonly acceptedAs: Set<string>;
  responded: boolean;
}

const GENERATE = '/api/ai/content/generate';

/** Notes a request that costs money; undefined for any other. */
export function notePaidRequest(
  paid: Map<string, PaidRequest>,
  { method, url, headers }: Request,
  body: unknown,
  life: Life | undefined,
): PaidRequest | undefined {
  const key = headers.get('idempotency-key');
  if (method !== 'POST' || key === null || !url.endsWith(GENERATE)) return undefined;
  const known = paid.get(key);
  if (known) return known;
  const order = paid.size;
  const noted: PaidRequest = {
    key,
    body: String(body),
    order,
    life,
    acceptedAs: new Set(),
    responded: false,
  };
  paid.set(key, noted);
  return noted;
}
