import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { internalsOf } from '../../mock-server/composition/internals.ts';
import type {
  ApiKey,
  Attempt,
  Delivery,
  Generation,
  Webhook,
} from '../../mock-server/domain/records.ts';
import { createMockServer, type Snapshot } from '../../mock-server/index.ts';
import type { components } from '../../src/generated/openapi.ts';

type Schemas = components['schemas'];

const { components: parts, paths } = parse(
  readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'),
);

/** The value of a named example of the contract. */
const example = <Name extends keyof Schemas>(_: Name, name: string): Schemas[Name] =>
  parts.examples[name].value;

const generation = example('Generation', 'GenerationCompleted');
const processing = example('Generation', 'GenerationProcessing');
const callback = example('GenerationCompletedCallback', 'CallbackCompleted');
const apiKey = example('ApiKey', 'ApiKey');
const webhook = example('Webhook', 'Webhook');

/** The example id in the path of an operation. */
export function exampleId(operationId: string): string {
  for (const { parameters = [], ...operation } of operations()) {
    if (operation.operationId !== operationId) continue;
    for (const { $ref, ...inline } of parameters) {
      const parameter = $ref ? parts.parameters[$ref.split('/').at(-1)] : inline;
      if (parameter.in === 'path') return parameter.example;
    }
  }
  throw new Error(`${operationId} has no example id in its path.`);
}

function operations() {
  return Object.values(paths).flatMap((item) => Object.values(item as object));
}

export interface ExampleSnapshot {
  readonly snapshot: Snapshot;
  readonly adminKey: string;
  readonly memberKey: string;
}

/**
 * The state of a server that holds the records that the contract's examples name, so that a request with an example id
 * finds one: for each id in a path, a record in a state that allows the operation. The example keys have no plaintext,
 * so only the two new keys authenticate.
 */
export function exampleSnapshot(): ExampleSnapshot {
  const mock = createMockServer({ clock: 'manual' });
  const { signingSecret, adminKey, memberKey } = mock;
  const { organization, project } = apiKey;
  // The example cursors belong to the organization and project of the examples.
  const text = JSON.stringify(mock.snapshot())
    .replaceAll(mock.organization, organization)
    .replaceAll(internalsOf(mock).project, project);
  const { state, ...snapshot } = JSON.parse(text) as Snapshot;
  const owner = { organization, project };
  const added: Record<string, readonly object[]> = {
    apiKeys: apiKeys(owner),
    webhooks: webhooks(owner, signingSecret),
    generations: generations(owner),
    deliveries: deliveries(owner),
  };
  const filled = Object.entries(added).map(([table, rows]) => [
    table,
    [...(state[table] ?? []), ...rows],
  ]);
  return {
    snapshot: { ...snapshot, state: { ...state, ...Object.fromEntries(filled) } },
    adminKey,
    memberKey,
  };
}

type Owner = Pick<ApiKey, 'organization' | 'project'>;

function apiKeys(owner: Owner): ApiKey[] {
  const rowOf = (id: string, facts: Pick<ApiKey, 'name' | 'role' | 'createdBy'>): ApiKey => ({
    ...owner,
    id,
    ...facts,
    // No key has this hash.
    hash: `none ${id}`,
    hint: apiKey.hint,
    createdAt: Date.parse(apiKey.createdAt),
  });
  const { name, role, createdBy } = apiKey;
  return [
    // The key that created the others.
    rowOf(createdBy, { name: 'admin', role: 'admin', createdBy: 'system' }),
    rowOf(exampleId('getApiKey'), { name, role, createdBy }),
    rowOf(exampleId('regenerateApiKey'), { name, role, createdBy }),
  ];
}

function webhooks(owner: Owner, secret: string): Webhook[] {
  const createdAt = Date.parse(webhook.createdAt);
  const { event, url, threshold, status } = webhook;
  return ['getWebhook', 'deleteWebhook'].map((operation) => ({
    ...owner,
    id: exampleId(operation),
    event,
    url,
    ...(threshold !== undefined && { threshold }),
    status,
    secrets: [{ secret, createdAt }],
    createdAt,
    updatedAt: createdAt,
  }));
}

/** The second generation has no job to complete it: it stays `processing` until it is canceled. */
function generations(owner: Owner): Generation[] {
  const shared = {
    ...owner,
    delivery: 'callback',
    prompt: 'A haiku about TCP',
    maxTokens: 1024,
    webhookUrl: 'https://app.example/callbacks',
  } as const;
  const { model, result, usage, status, createdAt, completedAt } = generation;
  return [
    {
      ...shared,
      id: exampleId('getGeneration'),
      status,
      model,
      ...(result !== undefined && { result }),
      ...(usage && { usage }),
      ...(callback.metadata && { metadata: callback.metadata }),
      createdAt: Date.parse(createdAt),
      completedAt: Date.parse(completedAt ?? createdAt),
    },
    {
      ...shared,
      id: exampleId('cancelGeneration'),
      status: processing.status,
      model: processing.model,
      createdAt: Date.parse(processing.createdAt),
    },
  ];
}

function deliveries(owner: Owner): Delivery[] {
  const [toWebhook] = example('DeliveryPage', 'DeliveryPage').data;
  const [ofResult] = example('DeliveryPage', 'CallbackDeliveryPage').data;
  if (!toWebhook || !ofResult) throw new Error('The contract has no example of a delivery.');
  const rowOf = (
    { id, messageId, event, url, status, createdAt, attempts }: Schemas['Delivery'],
    body: object,
  ) => ({
    ...owner,
    ...{ id, messageId, url, status },
    event: event as Delivery['event'],
    body: JSON.stringify(body),
    createdAt: Date.parse(createdAt),
    attempts: attempts.map(attemptOf),
  });
  const event = example('UsageThresholdEvent', 'UsageThresholdEvent');
  const { webhookId } = toWebhook;
  const { requestId } = ofResult;
  return [
    { ...rowOf(toWebhook, { ...event, organization: owner.organization }), webhookId },
    { ...rowOf(ofResult, { ...callback, requestId }), requestId },
  ];
}

function attemptOf({ at, headers, ...attempt }: Schemas['DeliveryAttempt']): Attempt {
  return { ...attempt, at: Date.parse(at), ...(headers && { responseHeaders: headers }) };
}
