import type { World } from './context.ts';
import { appendEvent } from './event-log.ts';
import { broadcast } from './notify.ts';
import { timestamp } from './periods.ts';
import type { Delivery } from './records.ts';

export interface DataUpdate {
  readonly source?: string;
  readonly reason?: 'ingestion_completed' | 'external_change';
  readonly records?: number;
  readonly updatedAt?: string;
}

/** An ingestion completed, or data outside changed. */
export function updateData(world: World, organization: string, update: DataUpdate): Delivery[] {
  const facts = {
    source: 'default',
    reason: 'ingestion_completed',
    records: 1,
    updatedAt: timestamp(world.ports.clock.now()),
    ...update,
  };
  appendEvent(world, { type: 'data.updated', organization, data: facts });
  return broadcast(world, organization, 'data_updated', facts);
}
