import { counters } from '../domain/counters.ts';
import type { Json } from '../domain/ports.ts';
import type { RequestEntry } from '../domain/records.ts';
import type { World } from '../domain/world.ts';

/** Never kept, whatever the operation. */
const SECRETS = new Set(['secret', 'token', 'key']);
/** No request of the contract nests deeper; what does could not even be written as JSON again. */
const DEEPEST = 4;

export type RequestFacts = Omit<RequestEntry, 'id' | 'durationMs'>;

/** Keeps a line of what was asked and how it was answered; beyond the limit the oldest goes. */
export function logRequest(world: World, facts: RequestFacts): RequestEntry {
  const requests = world.store.table('requests');
  const number = counters(world.store).next('requests');
  const entry: RequestEntry = {
    ...facts,
    id: `rql_${String(number).padStart(12, '0')}`,
    durationMs: world.ports.clock.now() - facts.at,
  };
  requests.put(entry);
  if (requests.count() > world.settings.logLimit) {
    const [oldest] = requests.oldest({ limit: 1 });
    if (oldest) requests.delete(oldest.id);
  }
  return entry;
}

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
