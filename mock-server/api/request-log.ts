import type { Context } from '../domain/context.ts';
import { newSerialId } from '../domain/ids.ts';
import type { Store } from '../domain/ports.ts';
import type { Json, RequestEntry } from '../domain/records.ts';

/** Never kept, whatever the operation. */
const SECRETS = new Set(['secret', 'token', 'key']);
/** No request of the contract nests deeper; what does could not even be written as JSON again. */
const DEEPEST = 4;

/** What the bodies and long paths of all lines may come to, as they were sent. */
const MOST_BYTES = 32 * 1024 * 1024;
const TOTAL = 'requests:bytes';
const SHORT_PATH = 512;

export type RequestFacts = Omit<RequestEntry, 'id' | 'durationMs'>;

/** Keeps a line of what was asked and how it was answered; beyond the limits, of lines and of bytes, the oldest go. */
export function logRequest(context: Context, facts: RequestFacts): RequestEntry {
  const requests = context.store.table('requests');
  const entry: RequestEntry = {
    ...facts,
    id: newSerialId(context.store, 'rql', 'requests'),
    durationMs: context.ports.clock.now() - facts.at,
  };
  requests.put(entry);
  const weight = weightOf(entry);
  const { logLimit } = context.settings;
  if (weight > 0 || requests.count() > logLimit) dropOldest(context.store, logLimit, weight);
  return entry;
}

function dropOldest(store: Store, logLimit: number, added: number): void {
  const requests = store.table('requests');
  const totals = store.table('counters');
  const before = totals.get(TOTAL)?.value ?? 0;
  let total = before + added;
  for (let count = requests.count(); count > 1; count -= 1) {
    if (count <= logLimit && total <= MOST_BYTES) break;
    const [oldest] = requests.oldest({ limit: 1 });
    if (!oldest) break;
    requests.delete(oldest.id);
    total -= weightOf(oldest);
  }
  if (total !== before) totals.put({ id: TOTAL, value: total });
}

/** A short path counts for nothing: most lines then leave the total as it is. */
const weightOf = ({ bytes = 0, path }: RequestEntry): number =>
  bytes + (path.length > SHORT_PATH ? path.length : 0);

function isFlat(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isFlat(member, depth - 1));
}

/** What of a body may be kept: no secret, and nothing that nests without end. */
export function loggable(body: unknown): Json | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const shown = Object.entries(body).filter(
    ([name, value]) => !SECRETS.has(name) && isFlat(value, DEEPEST),
  );
  return Object.fromEntries(shown) as Json;
}
