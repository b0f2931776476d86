import type { components } from '../../contract.ts';
import { redeliver, redeliverFailed, sendTest } from '../../domain/delivery/redeliver.ts';
import { findProject, rotateSigningSecret } from '../../domain/organizations.ts';
import type { Webhook } from '../../domain/records.ts';
import { isRejection, type Rejection, reject } from '../../domain/rejection.ts';
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
import type { Answer, CallContext, Handler } from './answer.ts';

type Wire = components['schemas'];
type RotationBody = Wire['RotateWebhookSecretRequest'];

const DEFAULT_OVERLAP_SECONDS = 86_400;

const rotationOf = ({ overlapSeconds, force }: RotationBody): Rotation => ({
  overlapSeconds: overlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
  force: force ?? false,
});

/** Runs `work` on a registration of the caller's project, in one commit. */
function change(
  call: CallContext,
  params: Readonly<Record<string, string>>,
  work: (webhook: Webhook) => Answer | Rejection,
): Answer | Rejection {
  return call.commit(() => {
    const row = ownRow(call, 'webhooks', params['id'] ?? '', 'webhook');
    return isRejection(row) ? row : work(row);
  });
}

const create: Handler<Wire['CreateWebhookRequest']> = ({ body }, call) =>
  call.commit(() => {
    const row = createWebhook(call.context, call.principal, body);
    return isRejection(row) ? row : { status: 201, body: webhookWithSecretOf(row) };
  });

const list: Handler = (input, call) => ownPage(call, input, 'webhooks', webhookOf);

const get: Handler = ({ params }, call) => {
  const row = ownRow(call, 'webhooks', params['id'] ?? '', 'webhook');
  return isRejection(row) ? row : { status: 200, body: webhookOf(row) };
};

const update: Handler<Wire['UpdateWebhookRequest']> = ({ params, body }, call) =>
  change(call, params, (webhook) => {
    const row = updateWebhook(call.context, webhook, body);
    return isRejection(row) ? row : { status: 200, body: webhookOf(row) };
  });

const remove: Handler = ({ params }, call) =>
  change(call, params, (webhook) => {
    deleteWebhook(call.context, webhook);
    return { status: 204 };
  });

const rotate: Handler<RotationBody> = ({ params, body }, call) =>
  change(call, params, (webhook) => {
    const row = rotateWebhookSecret(call.context, webhook, rotationOf(body));
    return isRejection(row) ? row : { status: 200, body: webhookWithSecretOf(row) };
  });

const refuseDisabled = (webhook: Webhook): Rejection | undefined =>
  webhook.status === 'enabled'
    ? undefined
    : reject('invalid_state', 'The webhook is disabled. Enable it first.');

const test: Handler = ({ params }, call) =>
  change(call, params, (webhook) => {
    const rejected = refuseDisabled(webhook);
    if (rejected) return rejected;
    const delivery = sendTest(call.context, webhook, call.principal.rngStream);
    return { status: 202, body: deliveryOf(delivery) };
  });

const deliveriesOf: Handler = (input, call) => {
  const webhook = ownRow(call, 'webhooks', input.params['id'] ?? '', 'webhook');
  if (isRejection(webhook)) return webhook;
  const where = { index: 'webhook', key: webhook.id, scope: `deliveries:${webhook.id}` };
  return pageAnswer(call, input, call.context.store.table('deliveries'), where, deliveryOf);
};

const callbackDeliveries: Handler = (input, call) => {
  const { context, principal } = call;
  const requestId = input.query['requestId'];
  const generation =
    requestId === undefined ? undefined : context.store.table('generations').get(String(requestId));
  const own = generation?.project === principal.project;
  const where =
    requestId === undefined
      ? { index: 'callbacks', key: principal.project }
      : { index: 'request', key: own ? String(requestId) : '' };
  const scope = `callbacks:${principal.project}`;
  const table = context.store.table('deliveries');
  return pageAnswer(call, input, table, { ...where, scope }, deliveryOf);
};

const redeliverAll: Handler<Wire['RedeliverFailedRequest']> = ({ params, body }, call) =>
  change(call, params, (webhook) => {
    const rejected = refuseDisabled(webhook);
    if (rejected) return rejected;
    const count = redeliverFailed(call.context, webhook.id, Date.parse(body.since));
    return { status: 202, body: { count } };
  });

const redeliverOne: Handler = ({ params }, call) =>
  call.commit(() => {
    const row = ownRow(call, 'deliveries', params['deliveryId'] ?? '', 'delivery');
    if (isRejection(row)) return row;
    const again = redeliver(call.context, row);
    if (again.ok) return { status: 202, body: deliveryOf(again.delivery) };
    const why =
      row.status === 'pending' ? 'is still pending' : 'belongs to a disabled or deleted webhook';
    return reject('invalid_state', `The delivery ${why}.`);
  });

const getSecret: Handler = (_, { context, principal }) => ({
  status: 200,
  body: signingSecretOf(findProject(context, principal.project)),
});

const rotateSecret: Handler<RotationBody> = ({ body }, call) =>
  call.commit(() => {
    const { context, principal } = call;
    const project = rotateSigningSecret(
      context,
      findProject(context, principal.project),
      rotationOf(body),
    );
    if (isRejection(project)) return project;
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
