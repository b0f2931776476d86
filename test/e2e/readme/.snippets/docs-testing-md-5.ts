import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.adminOptions);

mock.faults.add({ operation: 'createApiKey', times: 1, effect: { drop: true } });
const created = await client.apiKeys.create({ name: 'ci' }); // the response is lost; the retry gets it again
const keys = await client.apiKeys.list();
console.log(created.name, keys.data.length); // ci 3
