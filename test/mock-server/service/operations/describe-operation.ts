import { describe, expect, test } from 'vitest';
import type { OperationDetails, OperationId } from '../../../../src/generated/operations.ts';
import { operationDetails, operations } from '../../../../src/generated/operations.ts';
import {
  type CallOptions,
  type ContractServer,
  contractServer,
  problemOf,
} from './contract-server.ts';

type Details = typeof operationDetails;

/** Makes a call whose response has the status. */
type Case = (server: ContractServer) => Promise<Response>;

/** Statuses that every operation returns for the same reasons. Some have a further one of their own. */
type Common = 400 | 401 | 403 | 404 | 413 | 415 | 422 | 429 | 500 | 503;

/** How to call the operation so that it succeeds. */
export interface Recipe {
  /** Creates what the call needs and returns its path. */
  path(server: ContractServer): Promise<string> | string;
  readonly body?: object;
}

/** The cases of every operation. An operation or a status without one does not compile. */
export type Cases = {
  readonly [Id in OperationId]: { readonly recipe: Recipe; readonly own: OwnCases[Id] };
};

type OwnCases = {
  readonly [Id in OperationId]: {
    readonly [S in Exclude<Details[Id]['statuses'][number], Common>]: Case;
  } & { readonly [S in Common]?: Case };
};

const hasBody = (method: string): boolean => method === 'POST' || method === 'PATCH';

function commonCases(id: OperationId, recipe: Recipe): Record<number, Case> {
  const { method } = operations[id];
  const body = hasBody(method) ? (recipe.body ?? {}) : undefined;
  const call = async (on: ContractServer, options: CallOptions = {}) =>
    on.call(method, await recipe.path(on), body, options);
  return {
    400: async (on) =>
      hasBody(method)
        ? call(on, { raw: '{' })
        : on.call(method, `${await recipe.path(on)}?cursor=foreign`),
    401: (on) => call(on, { key: null }),
    403: (on) => call(on, { key: on.mock.memberKey }),
    404: async (on) => {
      const path = await recipe.path(on);
      return on.call(method, path.replace(/_[0-9a-z]{26}/, '_nope'), body);
    },
    413: (on) => call(on, { raw: `"${'x'.repeat(1024 * 1024)}"` }),
    415: (on) => call(on, { headers: { 'content-type': 'text/plain' } }),
    422: async (on) => {
      const path = await recipe.path(on);
      if (body) return on.call(method, path, { ...body, unknown: 1 });
      return on.call(method, `${path}?unknown=1`);
    },
    429: async () => {
      const limited = contractServer({ rateLimit: { limit: 10, windowSeconds: 60 } });
      const path = await recipe.path(limited);
      let last = await limited.call(method, path, body);
      for (let turn = 0; turn < 10; turn += 1) last = await limited.call(method, path, body);
      return last;
    },
    500: (on) => struck(on, 500),
    503: (on) => struck(on, 503),
  };

  async function struck(on: ContractServer, status: number): Promise<Response> {
    const path = await recipe.path(on);
    on.mock.faults.add({ operation: id, times: 1, effect: { status } });
    return on.call(method, path, body);
  }
}

const expectedCodes: Readonly<Record<number, readonly string[]>> = {
  401: ['missing_credentials'],
  403: ['insufficient_permissions'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  404: ['not_found'],
};

/**
 * Tests an operation once per status that the contract declares. A response that differs from the contract fails its
 * test.
 */
export function describeOperation(id: OperationId, { recipe, own }: Cases[OperationId]): void {
  const details: OperationDetails = operationDetails[id];
  const cases: Record<number, Case> = {
    ...commonCases(id, recipe),
    ...(own as Record<number, Case>),
  };

  describe(id, () => {
    test('has a case for each status of the contract and no others', () => {
      const missing = details.statuses.filter((status) => !cases[status]);
      const extra = Object.keys(own).filter((status) => !details.statuses.includes(Number(status)));
      expect({ missing, extra }).toEqual({ missing: [], extra: [] });
    });

    for (const status of details.statuses) {
      test(`responds with ${status} as the contract declares`, async () => {
        const response = await (cases[status] as Case)(contractServer());
        expect(response.status, await response.clone().text()).toBe(status);
        if (status < 400) return;
        const { code, requestId } = await problemOf(response);
        expect(requestId).toBe(response.headers.get('x-request-id'));
        expect(expectedCodes[status] ?? [code]).toContain(code);
      });
    }

    if (details.role === 'member') {
      test('a member can call it', async () => {
        const on = contractServer();
        const { method } = operations[id];
        const body = hasBody(method) ? (recipe.body ?? {}) : undefined;
        const path = await recipe.path(on);
        const response = await on.call(method, path, body, { key: on.mock.memberKey });
        expect(response.status).toBeLessThan(300);
      });
    }
  });
}
