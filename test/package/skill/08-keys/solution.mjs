import { ContentGen } from 'contentgen';

const client = new ContentGen();
const created = await client.apiKeys.create({ name: 'ci', role: 'member' });
const next = await client.apiKeys.regenerate(created.id, { gracePeriodSeconds: 3600 });
console.log(next.key);

for await (const key of client.apiKeys.list()) {
  if (key.name === 'leaked' && key.status === 'active') await client.apiKeys.revoke(key.id);
}
