import { exampleIds, exampleRecords } from '../../../src/generated/examples.ts';
import { generationDefaults } from '../../api/schema-errors.ts';
import type { Context } from '../../domain/context.ts';
import type { ApiKey, Attempt, Delivery, Generation, Webhook } from '../../domain/records.ts';
import { newSecret } from '../../domain/signing-secrets.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { countSeed } from './add-seed-data.ts';
import type { SeedOrganization } from './seed-data.ts';

const { generation, cancelable, callback, apiKey, webhook, delivery, callbackDelivery, event } =
  exampleRecords;
const PROMPT = 'A haiku about TCP';

type Owner = Pick<Tenant, 'organization' | 'project'>;

/** The organization and project that the examples belong to. */
export const exampleHome: Pick<SeedOrganization, 'id' | 'project'> = {
  id: apiKey.organization,
  project: apiKey.project,
};

/**
 * Adds the records that the contract's examples name, so that a request with an example id finds one: for each id in a
 * path, a record in a state that allows the operation. The keys have no plaintext, so they cannot authenticate.
 */
export function addExamples(context: Context, { organization, project }: Tenant): void {
  const owner = { organization, project };
  const { store } = context;
  store.transaction(() => {
    for (const row of apiKeys(context, owner)) store.table('apiKeys').put(row);
    for (const row of webhooks(context, owner)) store.table('webhooks').put(row);
    const rows = generations(context, owner);
    for (const row of rows) store.table('generations').put(row);
    for (const row of rows) countSeed(context, row);
    for (const row of deliveries(context, owner)) store.table('deliveries').put(row);
  });
}

/** The time of an example, or the server's current time if that is earlier. */
const timeOf = (context: Context, text: string): number =>
  Math.min(Date.parse(text), context.ports.clock.now());

function apiKeys(context: Context, owner: Owner): ApiKey[] {
  const rowOf = (id: string, facts: Pick<ApiKey, 'name' | 'role' | 'createdBy'>): ApiKey => ({
    ...owner,
    id,
    ...facts,
    // No key has this hash.
    hash: context.ports.digest(id),
    hint: apiKey.hint,
    createdAt: timeOf(context, apiKey.createdAt),
  });
  const { name, role, createdBy } = apiKey;
  return [
    // The key that created the others.
    rowOf(createdBy, { name: 'admin', role: 'admin', createdBy: 'system' }),
    rowOf(exampleIds.getApiKey, { name, role, createdBy }),
    rowOf(exampleIds.regenerateApiKey, { name, role, createdBy }),
  ];
}

function webhooks(context: Context, owner: Owner): Webhook[] {
  const createdAt = timeOf(context, webhook.createdAt);
  const { rngStream = 0 } = context.store.table('organizations').get(owner.organization) ?? {};
  return [exampleIds.getWebhook, exampleIds.deleteWebhook].map((id) => ({
    ...owner,
    id,
    event: webhook.event,
    url: webhook.url,
    threshold: webhook.threshold,
    status: webhook.status,
    secrets: [{ secret: newSecret(context, rngStream), createdAt }],
    createdAt,
    updatedAt: createdAt,
  }));
}

/** The second generation has no job to complete it: it stays `processing` until it is canceled. */
function generations(context: Context, owner: Owner): Generation[] {
  const shared = {
    ...owner,
    delivery: 'callback',
    prompt: PROMPT,
    maxTokens: generationDefaults().maxTokens,
    webhookUrl: callbackDelivery.url,
  } as const;
  const { model, result, usage, status } = generation;
  return [
    {
      ...shared,
      id: exampleIds.getGeneration,
      status,
      model,
      result,
      usage,
      metadata: callback.metadata,
      createdAt: timeOf(context, generation.createdAt),
      completedAt: timeOf(context, generation.completedAt),
    },
    {
      ...shared,
      id: exampleIds.cancelGeneration,
      status: cancelable.status,
      model: cancelable.model,
      createdAt: timeOf(context, cancelable.createdAt),
    },
  ];
}

function deliveries(context: Context, owner: Owner): Delivery[] {
  const rowOf = (
    example: typeof delivery | typeof callbackDelivery,
    body: object,
  ): Omit<Delivery, 'webhookId' | 'requestId'> => ({
    ...owner,
    id: example.id,
    messageId: example.messageId,
    event: example.event,
    url: example.url,
    body: JSON.stringify(body),
    status: example.status,
    createdAt: timeOf(context, example.createdAt),
    nextAttemptAt: undefined,
    attempts: example.attempts.map((attempt) => attemptOf(context, attempt)),
    held: undefined,
  });
  const { webhookId } = delivery;
  const { requestId } = callbackDelivery;
  return [
    { ...rowOf(delivery, { ...event, organization: owner.organization }), webhookId },
    { ...rowOf(callbackDelivery, { ...callback, requestId }), requestId },
  ];
}

function attemptOf(
  context: Context,
  {
    at,
    headers,
    ...attempt
  }: Omit<Attempt, 'at'> & { at: string; headers?: Attempt['responseHeaders'] },
): Attempt {
  return { ...attempt, at: timeOf(context, at), ...(headers && { responseHeaders: headers }) };
}
