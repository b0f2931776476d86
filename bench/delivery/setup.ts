import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { enqueueDelivery } from '../../mock-server/domain/deliveries.ts';
import type { Store, Transport } from '../../mock-server/domain/ports.ts';
import { createOutbound } from '../../mock-server/outbound/transport.ts';
import { deliverySetup } from '../../test/mock-server/delivery/delivery-setup.ts';

export const payload = {
  event: 'data_updated',
  organization: 'org_1',
  source: 'crm',
  reason: 'ingestion_completed',
  records: 1200,
  updatedAt: '2026-01-01T00:00:00.000Z',
  note: 'x'.repeat(150),
};

/** Starts a receiver in its own process. */
export async function startReceiver() {
  const child = fork(fileURLToPath(new URL('receiver.mjs', import.meta.url)), { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/** The engine, sending over `transport`; on a durable store, each attempt waits for its commit, as on a server. */
export function engine(transport: Transport = createOutbound().send, durable?: Store) {
  const at = deliverySetup({ transport, ...(durable && { store: durable }) });
  const { scheduler, store } = at.context;
  const enqueue = (webhookId: string) =>
    store.transaction(() =>
      enqueueDelivery(at.context, {
        organization: 'org_1',
        project: 'prj_1',
        rngStream: 1,
        webhookId,
        event: 'data_updated',
        url: 'https://replaced.example/',
        payload,
      }),
    );
  /** Keeps a short queue filled until `count` messages are delivered. */
  async function deliver(webhookId: string, count: number): Promise<void> {
    for (let queued = 0; queued < count || scheduler.inFlight > 0; ) {
      while (queued < count && scheduler.inFlight < 150) {
        enqueue(webhookId);
        queued += 1;
        scheduler.runDue();
      }
      await scheduler.nextEnd();
    }
  }
  return { ...at, deliver };
}
