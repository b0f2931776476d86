import { ContentGen } from 'contentgen';
import { connectMock } from 'contentgen/mock/remote';

const baseUrl = 'http://127.0.0.1:4010';
const mock = connectMock(baseUrl);
const { organization, adminKey } = await mock.createOrganization({ quota: 1000 });
const client = new ContentGen({ baseUrl, apiKey: adminKey });

await mock.faults.add({ organization, operation: 'getUsage', times: 1, effect: { status: 503 } });
await client.usage.get(); // the retry succeeds
