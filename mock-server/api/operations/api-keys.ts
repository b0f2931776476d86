import type { components } from '../../contract.ts';
import {
  createApiKey,
  type KeyMaterial,
  newKeyMaterial,
  regenerateApiKey,
  revokeApiKey,
} from '../../domain/api-keys.ts';
import type { ApiKey } from '../../domain/records.ts';
import { isRejection, type Rejection } from '../../domain/rejection.ts';
import { findOwned, listOwned } from '../find-owned.ts';
import { apiKeyOf } from '../serialize.ts';
import {
  type Handler,
  type OperationCall,
  type Outcome,
  respond,
  type WithDefaults,
} from './operation.ts';

type Wire = components['schemas'];

const find = (call: OperationCall): ApiKey | Rejection =>
  findOwned(call, 'apiKeys', call.params['id']);

const toWire = ({ context }: OperationCall, row: ApiKey): object =>
  apiKeyOf(row, context.ports.clock.now());

/** Makes the key and its sealed copy first, so that the commit is synchronous. */
async function withNewKey(
  call: OperationCall,
  make: (material: KeyMaterial) => ApiKey | Rejection,
): Promise<Outcome> {
  const { context, principal, idempotencyKey } = call;
  const material = newKeyMaterial(context, principal.rngStream);
  const sealed =
    idempotencyKey === undefined ? '' : await context.ports.seal(material.key, idempotencyKey);
  return call.commit(() => {
    const row = make(material);
    if (isRejection(row)) return row;
    return {
      status: 201,
      body: { ...toWire(call, row), key: material.key },
      secret: { field: 'key', sealed },
    };
  });
}

const create: Handler<WithDefaults<Wire['CreateApiKeyRequest'], 'role'>> = (call) => {
  const { name, role, expiresAt } = call.body;
  return withNewKey(call, (material) =>
    createApiKey(call.context, call.principal, material, {
      role,
      ...(name !== undefined && { name }),
      ...(typeof expiresAt === 'string' && { expiresAt: Date.parse(expiresAt) }),
    }),
  );
};

const list: Handler = (call) => listOwned(call, 'apiKeys', (row) => toWire(call, row));

const get: Handler = (call) => respond(find(call), 200, (row) => toWire(call, row));

const revoke: Handler = (call) =>
  call.commit(() => {
    const row = find(call);
    if (isRejection(row)) return row;
    return { status: 200, body: toWire(call, revokeApiKey(call.context, row)) };
  });

const regenerate: Handler<WithDefaults<Wire['RegenerateApiKeyRequest'], 'gracePeriodSeconds'>> = (
  call,
) =>
  withNewKey(call, (material) => {
    const old = find(call);
    if (isRejection(old)) return old;
    const { context, principal, body } = call;
    return regenerateApiKey(context, principal, material, old, body.gracePeriodSeconds);
  });

export const apiKeyHandlers = {
  createApiKey: create,
  createApiKeyAlias: create,
  listApiKeys: list,
  getApiKey: get,
  revokeApiKey: revoke,
  regenerateApiKey: regenerate,
};
