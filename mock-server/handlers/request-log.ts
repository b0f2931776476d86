import { counters } from '../domain/counters.ts';
import type { Json } from '../domain/ports.ts';
import type { RequestEntry } from '../domain/records.ts';
import type { World } from '../domain/world.ts';

/** Never kept, whatever the operation. */
const SECRETS = new Set(['secret', 'token', 'key']);

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

export function withoutSecrets(body: unknown): Json | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const shown = Object.entries(body).filter(([name]) => !SECRETS.has(name));
  return Object.fromEntries(shown) as Json;
}
