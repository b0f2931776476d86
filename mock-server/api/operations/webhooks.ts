import type { components } from '../../contract.ts';
import {
  type RedeliveryRange,
  redeliver,
  redeliverFailed,
  redeliverFailedCallbacks,
  sendTest,
} from '../../domain/delivery/redeliver.ts';
import { findProject, rotateSigningSecret } from '../../domain/organizations.ts';
import type { Webhook } from '../../domain/records.ts';
import { isRejection, type Rejection, reject } from '../../domain/rejection.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../domain/webhooks.ts';
import { findOwned, listOwned, listPage } from '../find-owned.ts';
import { deliveryOf, signingSecretOf, webhookOf, webhookWithSecretOf } from '../serialize.ts';
import {
  type Handler,
  type OperationCall,
  type Outcome,
  respond,
  type WithDefaults,
} from './operation.ts';

type Wire = components['schemas'];
type RotationBody = WithDefaults<Wire['RotateWebhookSecretRequest'], 'overlapSeconds' | 'force'>;

const find = (call: OperationCall): Webhook | Rejection =>
  findOwned(call, 'webhooks', call.params['id']);

/** Runs `work` on the call's webhook, in one commit. */
function change(call: OperationCall, work: (webhook: Webhook) => Outcome): Outcome {
  return call.commit(() => {
    const row = find(call);
    return isRejection(row) ? row : work(row);
  });
}

const create: Handler<Wire['CreateWebhookRequest']> = (call) =>
  call.commit(() =>
    respond(createWebhook(call.context, call.principal, call.body), 201, webhookWithSecretOf),
  );

const list: Handler = (call) => listOwned(call, 'webhooks', webhookOf);

const get: Handler = (call) => respond(find(call), 200, webhookOf);

const update: Handler<Wire['UpdateWebhookRequest']> = (call) =>
  change(call, (webhook) =>
    respond(updateWebhook(call.context, webhook, call.body), 200, webhookOf),
  );

const remove: Handler = (call) =>
  change(call, (webhook) => {
    deleteWebhook(call.context, webhook);
    return { status: 204 };
  });

const rotate: Handler<RotationBody> = (call) =>
  change(call, (webhook) =>
    respond(rotateWebhookSecret(call.context, webhook, call.body), 200, webhookWithSecretOf),
  );

const rejectDisabled = (webhook: Webhook): Rejection | undefined =>
  webhook.status === 'enabled'
    ? undefined
    : reject('invalid_state', 'The webhook is disabled. Enable it first.');

const test: Handler = (call) =>
  change(call, (webhook) => {
    const rejected = rejectDisabled(webhook);
    if (rejected) return rejected;
    const delivery = sendTest(call.context, webhook, call.principal.rngStream);
    return { status: 202, body: deliveryOf(delivery) };
  });

const deliveriesOf: Handler = (call) => {
  const webhook = find(call);
  if (isRejection(webhook)) return webhook;
  const { status } = call.query;
  const where =
    status === undefined
      ? { index: 'webhook', key: webhook.id }
      : { index: 'subjectStatus', key: `${webhook.id}:${status}` };
  const scope = `deliveries:${webhook.id}`;
  return listPage(call, call.context.store.table('deliveries'), { ...where, scope }, deliveryOf);
};

const callbackDeliveries: Handler = (call) => {
  const scope = `callbacks:${call.principal.project}`;
  const table = call.context.store.table('deliveries');
  return listPage(call, table, { ...whereCallbacks(call), scope }, deliveryOf);
};

/** The index and key of the result callbacks that the query asks for. */
function whereCallbacks({ context, principal: { project }, query }: OperationCall) {
  const { requestId, status } = query;
  if (requestId === undefined) {
    return status === undefined
      ? { index: 'callbacks', key: project }
      : { index: 'callbacksStatus', key: `${project}:${status}` };
  }
  const id = String(requestId);
  const own = context.store.table('generations').get(id)?.project === project;
  if (status === undefined) return { index: 'request', key: own ? id : '' };
  return { index: 'subjectStatus', key: own ? `${id}:${status}` : '' };
}

type RedeliveryBody = WithDefaults<Wire['RedeliverFailedRequest'], 'status'>;

const rangeOf = ({ since, status }: RedeliveryBody): RedeliveryRange => ({
  since: Date.parse(since),
  status,
});

const redeliverOfWebhook: Handler<RedeliveryBody> = (call) =>
  change(call, (webhook) => {
    const rejected = rejectDisabled(webhook);
    if (rejected) return rejected;
    const count = redeliverFailed(call.context, webhook.id, rangeOf(call.body));
    return { status: 202, body: { count } };
  });

const redeliverCallbacks: Handler<RedeliveryBody> = (call) =>
  call.commit(() => {
    const { project } = call.principal;
    const count = redeliverFailedCallbacks(call.context, project, rangeOf(call.body));
    return { status: 202, body: { count } };
  });

const redeliverOne: Handler = (call) =>
  call.commit(() => {
    const row = findOwned(call, 'deliveries', call.params['deliveryId']);
    if (isRejection(row)) return row;
    return respond(redeliver(call.context, row), 202, deliveryOf);
  });

const getSecret: Handler = ({ context, principal }) => ({
  status: 200,
  body: signingSecretOf(findProject(context, principal.project)),
});

const rotateSecret: Handler<RotationBody> = (call) =>
  call.commit(() => {
    const { context, principal } = call;
    const project = rotateSigningSecret(
      context,
      findProject(context, principal.project),
      call.body,
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
  redeliverFailed: redeliverOfWebhook,
  redeliverFailedCallbacks: redeliverCallbacks,
  getSigningSecret: getSecret,
  rotateSigningSecret: rotateSecret,
};
