import { type ContractServer, contractServer } from './contract-server.ts';

/** An asynchronous generation that is processing. */
export async function generation({ ok }: ContractServer): Promise<string> {
  const { requestId } = await ok<{ requestId: string }>('POST', '/api/ai/content/generate', {
    prompt: 'Later',
    webhookUrl: 'https://app.example/cb',
  });
  return requestId;
}

export const apiKey = ({ ok }: ContractServer) =>
  ok<{ id: string; key: string }>('POST', '/api/auth/api-keys', { name: 'made' });

export const webhook = ({ ok }: ContractServer) =>
  ok<{ id: string; secret: string }>('POST', '/api/webhooks', {
    event: 'usage_threshold',
    url: 'https://app.example/hooks',
  });

export const webhookPath = async (server: ContractServer): Promise<string> =>
  `/api/webhooks/${(await webhook(server)).id}`;

/** A delivery that succeeded. */
export async function delivered(server: ContractServer) {
  server.mock.receivers.set('https://app.example/hooks', () => new Response());
  const { id: webhookId } = await webhook(server);
  const path = `/api/webhooks/${webhookId}/test`;
  const { id, messageId } = await server.ok<{ id: string; messageId: string }>('POST', path);
  await server.mock.settle();
  return { webhookId, id, messageId };
}

/** The response to a second call with the same key, while a fault delays the first. */
export async function inProgress(
  path: (server: ContractServer) => Promise<string> | string,
  body: unknown = {},
): Promise<Response> {
  const on = contractServer();
  const target = await path(on);
  on.mock.faults.add({ operation: '*', times: 1, effect: { delay: 20 } });
  const headers = { 'idempotency-key': 'once' };
  const first = on.call('POST', target, body, { headers });
  const second = await on.call('POST', target, body, { headers });
  await first;
  return second;
}

/** The response to the eleventh call, with a limit of ten per minute. */
export async function limited(method: string, path: string): Promise<Response> {
  const { call } = contractServer({ rateLimit: { limit: 10, windowSeconds: 60 } });
  let last = await call(method, path);
  for (let turn = 0; turn < 10; turn += 1) last = await call(method, path);
  return last;
}

/** Resolves once an attempt of a delivery is in flight. */
export async function inFlight({ mock }: ContractServer): Promise<void> {
  const called = new Promise<void>((resolve) => {
    mock.receivers.set('https://app.example/hooks', () => {
      resolve();
      return new Promise(() => {});
    });
  });
  void mock.settle();
  await called;
}
