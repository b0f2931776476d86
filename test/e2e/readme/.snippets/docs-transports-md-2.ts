import { ContentGen, type Fetch } from 'contentgen';
import { fetch, MockAgent } from 'undici';

const dispatcher = new MockAgent();
dispatcher.disableNetConnect();
dispatcher
  .get('https://api.example.com')
  .intercept({ path: '/api/usage' })
  .reply(200, { used: 1, quota: 1000 });

const mocked = (url: string, init?: object) => fetch(url, { ...init, dispatcher });
const apiKey = process.env.CONTENTGEN_API_KEY;
const client = new ContentGen({
  baseUrl: 'https://api.example.com',
  apiKey,
  fetch: mocked as unknown as Fetch,
});
console.log((await client.usage.get()).used); // 1
