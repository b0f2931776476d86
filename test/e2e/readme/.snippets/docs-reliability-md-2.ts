import { ContentGen } from 'contentgen';

const client = new ContentGen();
for await (const { id, disabledReason } of client.webhooks.list())
  if (disabledReason) {
    await client.webhooks.update(id, { status: 'enabled' });
    for await (const delivery of client.webhooks.listDeliveries(id, { status: 'canceled' }))
      await client.webhooks.redeliver(delivery.id);
  }
