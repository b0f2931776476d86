import type { Context } from './context.ts';
import { broadcast } from './deliveries.ts';
import { appendEvent } from './event-log.ts';
import { timestamp } from './periods.ts';
import type { Delivery } from './records.ts';

export interface DataUpdate {
  readonly source?: string;
  readonly reason?: 'ingestion_completed' | 'external_change';
  readonly records?: number;
  readonly updatedAt?: string;
}

/** Raises `data_updated`: an ingestion has completed, or external data has changed. */
export function updateData(context: Context, organization: string, update: DataUpdate): Delivery[] {
  const facts = {
    source: 'default',
    reason: 'ingestion_completed',
    records: 1,
    updatedAt: timestamp(context.ports.clock.now()),
    ...update,
  };
  appendEvent(context, { type: 'data.updated', organization, data: facts });
  return broadcast(context, organization, 'data_updated', facts);
}
