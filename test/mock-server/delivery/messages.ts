import { enqueueDelivery } from '../../../mock-server/domain/deliveries.ts';
import { verifyWebhook } from '../../../src/webhooks/index.ts';
import type { deliverySetup, Sent } from './delivery-setup.ts';

export const payload = {
  event: 'data_updated',
  organization: 'org_1',
  source: 'crm',
  text: 'ünïcode ✓',
};

export function callback(
  at: ReturnType<typeof deliverySetup>,
  url = 'https://app.example/cb',
  requestId = 'gen_1',
) {
  return enqueueDelivery(at.context, {
    organization: 'org_1',
    project: 'prj_1',
    rngStream: 1,
    requestId,
    event: 'generation_completed',
    url,
    payload: { requestId, result: 'text', model: 'content-1', usage: { totalTokens: 2 } },
  });
}

export function event(at: ReturnType<typeof deliverySetup>, webhookId = 'wh_1') {
  return enqueueDelivery(at.context, {
    organization: 'org_1',
    project: 'prj_1',
    rngStream: 1,
    webhookId,
    event: 'data_updated',
    url: 'https://app.example/hooks',
    payload,
  });
}

export const bodyOf = (sent: Sent | undefined) => new TextDecoder().decode(sent?.body);
export const verify = (sent: Sent | undefined, secret: string) =>
  verifyWebhook({
    body: sent?.body as Uint8Array,
    headers: { ...sent?.headers },
    secret,
    now: () => sent?.at ?? 0,
    logger: { ...console, diagnose: false },
  });
