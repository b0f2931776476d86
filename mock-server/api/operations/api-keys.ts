import type { components } from '../../contract.ts';
import {
  createApiKey,
  newKeyMaterial,
  regenerateApiKey,
  revokeApiKey,
} from '../../domain/api-keys.ts';
import type { ApiKey } from '../../domain/records.ts';
import { isRefusal, type Refusal } from '../../domain/rejection.ts';
import { ownRow } from '../find-owned.ts';
import { apiKeyOf, ownPage } from '../serialize.ts';
import type { Answer, Call, Context, Handler } from './answer.ts';

type Wire = components['schemas'];

const find = (context: Context, id: string): ApiKey | Refusal =>
  ownRow(context, 'apiKeys', id, 'API key');

const shown = ({ world }: Context, row: ApiKey): object => apiKeyOf(row, world.ports.clock.now());

/** Makes key and sealed copy first, so that the commit is synchronous. */
async function withNewKey(
  call: Call,
  context: Context,
  make: (material: ReturnType<typeof newKeyMaterial>) => ApiKey | Refusal,
): Promise<Answer | Refusal> {
  const { world, principal } = context;
  const material = newKeyMaterial(world, principal.ordinal);
  const { idempotencyKey } = call;
  const sealed =
    idempotencyKey === undefined ? '' : await world.ports.seal(material.key, idempotencyKey);
  return context.commit(() => {
    const row = make(material);
    if (isRefusal(row)) return row;
    return {
      status: 201,
      body: { ...shown(context, row), key: material.key },
      secret: { field: 'key', sealed },
    };
  });
}

const create: Handler<Wire['CreateApiKeyRequest']> = (call, context) => {
  const { name, role, expiresAt } = call.body;
  return withNewKey(call, context, (material) =>
    createApiKey(context.world, context.principal, material, {
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
      ...(typeof expiresAt === 'string' && { expiresAt: Date.parse(expiresAt) }),
    }),
  );
};

const list: Handler = (call, context) =>
  ownPage(context, call, 'apiKeys', (row) => shown(context, row));

const get: Handler = ({ params }, context) => {
  const row = find(context, params['id'] ?? '');
  return isRefusal(row) ? row : { status: 200, body: shown(context, row) };
};

const revoke: Handler = ({ params }, context) =>
  context.commit(() => {
    const row = find(context, params['id'] ?? '');
    if (isRefusal(row)) return row;
    return { status: 200, body: shown(context, revokeApiKey(context.world, row)) };
  });

const regenerate: Handler<Wire['RegenerateApiKeyRequest']> = (call, context) =>
  withNewKey(call, context, (material) => {
    const old = find(context, call.params['id'] ?? '');
    if (isRefusal(old)) return old;
    const { world, principal } = context;
    return regenerateApiKey(world, principal, material, old, call.body.gracePeriodSeconds ?? 0);
  });

export const apiKeyHandlers = {
  createApiKey: create,
  createApiKeyAlias: create,
  listApiKeys: list,
  getApiKey: get,
  revokeApiKey: revoke,
  regenerateApiKey: regenerate,
};
