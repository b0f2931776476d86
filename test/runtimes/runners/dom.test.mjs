import axios from 'axios';
import { ContentGen } from 'contentgen';
import { setupMockServer } from 'contentgen/mock/node';
import { createTestRequest, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

// Runs in jsdom and in happy-dom, which sends preflights.
let setup;
let url;
let headers;

beforeAll(() => {
  setup = setupMockServer({ clock: 'manual', seed: 1 });
  url = `${setup.mock.baseUrl}/api/ai/content/generate`;
});
beforeEach(() => {
  const { memberKey } = setup.mock.createOrganization();
  headers = { 'X-API-Key': memberKey, 'Content-Type': 'application/json' };
});
afterAll(() => setup.close());

const body = JSON.stringify({ prompt: 'Hi' });
const completed = { status: 'completed', result: expect.stringMatching(/./) };

test('the document is that of the environment', () => {
  expect(document.createElement('p').textContent).toBe('');
});

test('fetch gets what the page asks for', async () => {
  const response = await fetch(url, { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining(completed),
  ]);
  const { signal } = new AbortController();
  expect((await fetch(url, { headers, signal })).status).toBe(200);
});

test.each(['xhr', 'fetch', 'http'])('axios over %s', async (adapter) => {
  const { data } = await axios.post(url, body, { headers, adapter });
  expect(data).toMatchObject(completed);
  const failure = await axios.get(`${url}/gen_none`, { headers, adapter }).catch((error) => error);
  expect(failure.response.status).toBe(404);
});

test('XMLHttpRequest', async () => {
  const request = new XMLHttpRequest();
  request.open('POST', url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const loaded = new Promise((resolve, reject) => {
    request.addEventListener('load', resolve);
    request.addEventListener('error', reject);
  });
  request.send(body);
  await loaded;
  expect([request.status, JSON.parse(request.responseText)]).toEqual([
    200,
    expect.objectContaining(completed),
  ]);
});

test("our client, over the environment's fetch", async () => {
  const apiKey = headers['X-API-Key'];
  const client = new ContentGen({ baseUrl: setup.mock.baseUrl, apiKey });
  expect(await client.content.generate({ prompt: 'Hi' })).toMatchObject(completed);
  expect((await client.content.get('gen_none').safe()).error?.code).toBe('not_found');
  const controller = new AbortController();
  const aborted = client.usage.get({ signal: controller.signal });
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
});

test('our client streams with the options that the mock gives it', async () => {
  const client = new ContentGen(setup.mock.clientOptions);
  let text = '';
  for await (const piece of client.content.stream({ prompt: 'Hi' })) text += piece;
  expect(text).not.toBe('');
});

test('a signed delivery is handled', async () => {
  const secret = setup.mock.signingSecret;
  const handler = createWebhookHandler({ secret, on: { generation_completed: () => {} } });
  const request = await createTestRequest(sampleEvent('generation_completed'), { secret });
  expect((await handler(request)).status).toBe(200);
});
