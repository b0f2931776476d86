import { once } from 'node:events';
import { createServer } from 'node:http';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { connectMock } from 'contentgen/mock/remote';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import { equal } from './report.mjs';

const controlToken = 'a-token-of-these-tests';

/** What the package does on runtimes with sockets and the modules of Node. */
export const overSockets = {
  'a served mock is called, streams and logs what it was asked': async () => {
    const mock = createMockServer();
    const served = await serve(mock, { port: 0, controlToken });
    const client = new ContentGen({ baseUrl: served.url, apiKey: mock.adminKey });
    let text = '';
    for await (const piece of client.content.stream({ prompt: 'p' })) text += piece;
    equal(text === '', false);
    const remote = await connectMock(served.url, { token: controlToken });
    equal((await client.content.generate({ prompt: 'p' })).status, 'completed');
    equal((await remote.requests()).length, 2);
    await served.close();
  },

  'a receiver on node:http handles what a served mock delivers': async () => {
    const mock = createMockServer();
    const served = await serve(mock, { port: 0 });
    const receive = createWebhookHandler({
      secret: mock.signingSecret,
      on: { generation_completed: () => {} },
    });
    const server = createServer(toNodeHandler(receive)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const webhookUrl = `http://127.0.0.1:${server.address().port}/`;
    const client = new ContentGen({ baseUrl: served.url, apiKey: mock.adminKey });
    const job = await client.content.start({ prompt: 'p', webhookUrl });
    equal((await job.wait({ results: receive })).status, 'completed');
    const tooLarge = { method: 'POST', body: 'x'.repeat(2 ** 21) };
    const status = await fetch(webhookUrl, tooLarge).then((response) => response.status, String);
    // A client can see the broken pipe before the response.
    equal(status === 413 || typeof status === 'string', true);
    server.close();
    await served.close();
  },
};

/** Where MSW 3 runs: Node 22.12 and later. */
export const onMsw = {
  'setupMockServer intercepts fetch': async () => {
    const { setupMockServer } = await import('contentgen/mock/node');
    const { mock, close } = setupMockServer();
    const client = new ContentGen({ baseUrl: mock.baseUrl, apiKey: mock.adminKey });
    equal((await client.content.generate({ prompt: 'p' })).status, 'completed');
    await close();
  },
};
