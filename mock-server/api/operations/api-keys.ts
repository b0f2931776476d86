import type { components } from '../../contract.ts';
import {
  createApiKey,
  newKeyMaterial,
  regenerateApiKey,
  revokeApiKey,
} from '../../domain/api-keys.ts';
import type { ApiKey } from '../../domain/records.ts';
import { isRejection, type Rejection } from '../../domain/rejection.ts';
import { ownRow } from '../find-owned.ts';
import { apiKeyOf, ownPage } from '../serialize.ts';
import type { Answer, CallContext, Handler, OperationInput } from './answer.ts';

type Wire = components['schemas'];

const find = (call: CallContext, id: string): ApiKey | Rejection =>
  ownRow(call, 'apiKeys', id, 'API key');

const shown = ({ context }: CallContext, row: ApiKey): object =>
  apiKeyOf(row, context.ports.clock.now());

/** Makes key and sealed copy first, so that the commit is synchronous. */
async function withNewKey(
  input: OperationInput,
  call: CallContext,
  make: (material: ReturnType<typeof newKeyMaterial>) => ApiKey | Rejection,
): Promise<Answer | Rejection> {
  const { context, principal } = call;
  const material = newKeyMaterial(context, principal.rngStream);
  const { idempotencyKey } = input;
  const sealed =
    idempotencyKey === undefined ? '' : await context.ports.seal(material.key, idempotencyKey);
  return call.commit(() => {
    const row = make(material);
    if (isRejection(row)) return row;
    return {
      status: 201,
      body: { ...shown(call, row), key: material.key },
      secret: { field: 'key', sealed },
    };
  });
}

const create: Handler<Wire['CreateApiKeyRequest']> = (input, call) => {
  const { name, role, expiresAt } = input.body;
  return withNewKey(input, call, (material) =>
    createApiKey(call.context, call.principal, material, {
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
      ...(typeof expiresAt === 'string' && { expiresAt: Date.parse(expiresAt) }),
    }),
  );
};

const list: Handler = (input, call) => ownPage(call, input, 'apiKeys', (row) => shown(call, row));

const get: Handler = ({ params }, call) => {
  const row = find(call, params['id'] ?? '');
  return isRejection(row) ? row : { status: 200, body: shown(call, row) };
};

const revoke: Handler = ({ params }, call) =>
  call.commit(() => {
    const row = find(call, params['id'] ?? '');
    if (isRejection(row)) return row;
    return { status: 200, body: shown(call, revokeApiKey(call.context, row)) };
  });

const regenerate: Handler<Wire['RegenerateApiKeyRequest']> = (input, call) =>
  withNewKey(input, call, (material) => {
    const old = find(call, input.params['id'] ?? '');
    if (isRejection(old)) return old;
    const { context, principal } = call;
    return regenerateApiKey(context, principal, material, old, input.body.gracePeriodSeconds ?? 0);
  });

export const apiKeyHandlers = {
  createApiKey: create,
  createApiKeyAlias: create,
  listApiKeys: list,
  getApiKey: get,
  revokeApiKey: revoke,
  regenerateApiKey: regenerate,
};
