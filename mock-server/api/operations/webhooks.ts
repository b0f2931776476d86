import type { components } from '../../contract.ts';
import { redeliver, redeliverFailed, sendTest } from '../../domain/delivery/index.ts';
import { findProject, rotateSigningSecret } from '../../domain/organizations.ts';
import type { Webhook } from '../../domain/records.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/rejection.ts';
import type { Rotation } from '../../domain/secrets.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../domain/webhooks.ts';
import { ownRow } from '../find-owned.ts';
import {
  deliveryOf,
  ownPage,
  pageAnswer,
  signingSecretOf,
  webhookOf,
  webhookWithSecretOf,
} from '../serialize.ts';
import type { Answer, Context, Handler } from './answer.ts';

type Wire = components['schemas'];
type RotationBody = Wire['RotateWebhookSecretRequest'];

const DEFAULT_OVERLAP_SECONDS = 86_400;

const rotationOf = ({ overlapSeconds, force }: RotationBody): Rotation => ({
  overlapSeconds: overlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
  force: force ?? false,
});

/** Runs `work` on a registration of the caller's project, in one commit. */
function change(
  context: Context,
  params: Readonly<Record<string, string>>,
  work: (webhook: Webhook) => Answer | Refusal,
): Answer | Refusal {
  return context.commit(() => {
    const row = ownRow(context, 'webhooks', params['id'] ?? '', 'webhook');
    return isRefusal(row) ? row : work(row);
  });
}

const create: Handler<Wire['CreateWebhookRequest']> = ({ body }, context) =>
  context.commit(() => {
    const row = createWebhook(context.world, context.principal, body);
    return isRefusal(row) ? row : { status: 201, body: webhookWithSecretOf(row) };
  });

const list: Handler = (call, context) => ownPage(context, call, 'webhooks', webhookOf);

const get: Handler = ({ params }, context) => {
  const row = ownRow(context, 'webhooks', params['id'] ?? '', 'webhook');
  return isRefusal(row) ? row : { status: 200, body: webhookOf(row) };
};

const update: Handler<Wire['UpdateWebhookRequest']> = ({ params, body }, context) =>
  change(context, params, (webhook) => {
    const row = updateWebhook(context.world, webhook, body);
    return isRefusal(row) ? row : { status: 200, body: webhookOf(row) };
  });

const remove: Handler = ({ params }, context) =>
  change(context, params, (webhook) => {
    deleteWebhook(context.world, webhook);
    return { status: 204 };
  });

const rotate: Handler<RotationBody> = ({ params, body }, context) =>
  change(context, params, (webhook) => {
    const row = rotateWebhookSecret(context.world, webhook, rotationOf(body));
    return isRefusal(row) ? row : { status: 200, body: webhookWithSecretOf(row) };
  });

const refuseDisabled = (webhook: Webhook): Refusal | undefined =>
  webhook.status === 'enabled'
    ? undefined
    : refuse('invalid_state', 'The webhook is disabled. Enable it first.');

const test: Handler = ({ params }, context) =>
  change(context, params, (webhook) => {
    const refused = refuseDisabled(webhook);
    if (refused) return refused;
    const delivery = sendTest(context.world, webhook, context.principal.ordinal);
    return { status: 202, body: deliveryOf(delivery) };
  });

const deliveriesOf: Handler = (call, context) => {
  const webhook = ownRow(context, 'webhooks', call.params['id'] ?? '', 'webhook');
  if (isRefusal(webhook)) return webhook;
  const where = { index: 'webhook', key: webhook.id, scope: `deliveries:${webhook.id}` };
  return pageAnswer(context, call, context.world.store.table('deliveries'), where, deliveryOf);
};

const callbackDeliveries: Handler = (call, context) => {
  const { world, principal } = context;
  const requestId = call.query['requestId'];
  const generation =
    requestId === undefined ? undefined : world.store.table('generations').get(String(requestId));
  const own = generation?.project === principal.project;
  const where =
    requestId === undefined
      ? { index: 'callbacks', key: principal.project }
      : { index: 'request', key: own ? String(requestId) : '' };
  const scope = `callbacks:${principal.project}`;
  const table = world.store.table('deliveries');
  return pageAnswer(context, call, table, { ...where, scope }, deliveryOf);
};

const redeliverAll: Handler<Wire['RedeliverFailedRequest']> = ({ params, body }, context) =>
  change(context, params, (webhook) => {
    const refused = refuseDisabled(webhook);
    if (refused) return refused;
    const count = redeliverFailed(context.world, webhook.id, Date.parse(body.since));
    return { status: 202, body: { count } };
  });

const redeliverOne: Handler = ({ params }, context) =>
  context.commit(() => {
    const row = ownRow(context, 'deliveries', params['deliveryId'] ?? '', 'delivery');
    if (isRefusal(row)) return row;
    const again = redeliver(context.world, row);
    if (again.ok) return { status: 202, body: deliveryOf(again.delivery) };
    const why =
      row.status === 'pending' ? 'is still pending' : 'belongs to a disabled or deleted webhook';
    return refuse('invalid_state', `The delivery ${why}.`);
  });

const getSecret: Handler = (_, { world, principal }) => ({
  status: 200,
  body: signingSecretOf(findProject(world, principal.project)),
});

const rotateSecret: Handler<RotationBody> = ({ body }, context) =>
  context.commit(() => {
    const { world, principal } = context;
    const project = rotateSigningSecret(
      world,
      findProject(world, principal.project),
      rotationOf(body),
    );
    if (isRefusal(project)) return project;
    const previousExpiresAt = new Date(project.secrets[1]?.expiresAt ?? 0).toISOString();
    return { status: 200, body: { ...signingSecretOf(project), previousExpiresAt } };
  });

export const webhookHandlers = {
  createWebhook: create,
  listWebhooks: list,
  getWebhook: get,
  updateWebhook: update,
  deleteWebhook: remove,
  rotateWebhookSecret: rotate,
  testWebhook: test,
  listDeliveries: deliveriesOf,
  listCallbackDeliveries: callbackDeliveries,
  redeliver: redeliverOne,
  redeliverFailed: redeliverAll,
  getSigningSecret: getSecret,
  rotateSigningSecret: rotateSecret,
};
