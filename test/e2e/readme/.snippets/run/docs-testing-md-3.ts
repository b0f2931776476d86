import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const { memberKey } = mock.createOrganization({ quota: 1 });
const client = new ContentGen({ ...mock.clientOptions, apiKey: memberKey });

await client.content.generate({ prompt: 'The first one can end above the quota' });
const second = await client.content.generate({ prompt: 'The next one is rejected' }).safe();
console.log(second.ok ? 'no' : second.error.code); // quota_exceeded
