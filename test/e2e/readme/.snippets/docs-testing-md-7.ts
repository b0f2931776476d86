import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.adminOptions);
const bodies: string[] = [];
mock.receivers.set('https://app.example/hooks', async (request) => {
  bodies.push(await request.text());
  return new Response();
});

await client.webhooks.create({ event: 'invoice_paid', url: 'https://app.example/hooks' });
await client.content.generate({ prompt: 'Something to pay for' });
await mock.clock.advance('31 days'); // the month ends and an invoice is created
const [invoice] = mock.billing.list();
if (invoice) mock.billing.pay(invoice.id); // or mock.billing.fail(invoice.id, 'insufficient_funds')
await mock.settle();
console.log(bodies.length, invoice?.amountDue); // 1 1
