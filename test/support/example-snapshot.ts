import { readFileSync } from 'node:fs';
import { ContentGen } from 'contentgen';
import { parse } from 'yaml';
import { internalsOf } from '../../mock-server/composition/internals.ts';
import { createMockServer, type Snapshot } from '../../mock-server/index.ts';

const { components: parts, paths } = parse(
  readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'),
);
const example = (name: string) => parts.examples[name].value;

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
}

/**
 * The state of a server that holds the records that the contract's examples name, so that a request with an example id
 * finds one: for each id in a path, a record in a state that allows the operation.
 */
export async function exampleSnapshot(): Promise<ExampleSnapshot> {
  const mock = createMockServer({ clock: 'manual' });
  const client = new ContentGen(mock.adminOptions);
  const { name, organization, project, createdBy } = example('ApiKey');
  const { event, url } = example('Webhook');
  const webhookUrl = example('GenerationProcessing').webhookUrl;
  const start = () => client.content.start({ prompt: 'A haiku about TCP', webhookUrl });
  for (const target of [url, webhookUrl]) mock.receivers.set(target, async () => new Response());

  const admin = (await client.apiKeys.list().toArray()).find((key) => key.name === 'admin');
  const keys = [await client.apiKeys.create({ name }), await client.apiKeys.create({ name })];
  const hooks = [
    await client.webhooks.create({ event, url }),
    await client.webhooks.create({ event, url }),
  ];
  mock.trigger(event);
  const done = await start();
  await mock.clock.advance('1 hour');
  const processing = await start();
  const deliveryOf = (id: string | undefined) =>
    mock.deliveries().find(({ webhookId, requestId }) => [webhookId, requestId].includes(id))?.id;

  const [toWebhook] = example('DeliveryPage').data;
  const [ofResult] = example('CallbackDeliveryPage').data;
  const renamed: [own: string | undefined, id: string][] = [
    [mock.organization, organization],
    // The example cursors belong to the organization and project of the examples.
    [internalsOf(mock).project, project],
    [admin?.id, createdBy],
    [keys[0]?.id, exampleId('getApiKey')],
    [keys[1]?.id, exampleId('regenerateApiKey')],
    [hooks[0]?.id, exampleId('getWebhook')],
    [hooks[1]?.id, exampleId('deleteWebhook')],
    [done.requestId, exampleId('getGeneration')],
    [processing.requestId, exampleId('cancelGeneration')],
    [deliveryOf(hooks[0]?.id), toWebhook.id],
    [deliveryOf(done.requestId), ofResult.id],
  ];
  const text = renamed.reduce(
    (state, [own, id]) => state.replaceAll(String(own), id),
    JSON.stringify(mock.snapshot()),
  );
  const { state, ...snapshot } = JSON.parse(text) as Snapshot;
  // Without a job that completes it, the second generation stays `processing` until it is canceled.
  return { snapshot: { ...snapshot, state: { ...state, jobs: [] } }, adminKey: mock.adminKey };
}
