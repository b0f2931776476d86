import { describe, expect, test } from 'vitest';
import type { OperationDetails, OperationId } from '../../../../src/generated/operations.ts';
import { operationDetails, operations } from '../../../../src/generated/operations.ts';
import {
  type CallOptions,
  type ContractServer,
  contractServer,
  problemOf,
} from './contract-server.ts';

/** Makes a call whose response has the status. */
type Case = (server: ContractServer) => Promise<Response>;

/** How to call an operation. */
export interface Row {
  /** Its path, or what creates what the call needs and returns its path. */
  readonly path: string | ((server: ContractServer) => Promise<string>);
  /** With this body it succeeds. */
  readonly body?: object;
  /** A query or a body that no other operation rejects. */
  readonly invalid?: string | object;
  /** How to get a status that the operation returns for a reason of its own. */
  readonly own?: Readonly<Record<number, Case>>;
}

const hasBody = (method: string): boolean => method === 'POST' || method === 'PATCH';

function casesOf(id: OperationId, { path, body: given = {}, invalid, own }: Row) {
  const { method } = operations[id];
  const body = hasBody(method) ? given : undefined;
  const pathOf = (on: ContractServer) => (typeof path === 'string' ? path : path(on));
  const call = async (on: ContractServer, options: CallOptions = {}) =>
    on.call(method, await pathOf(on), body, options);
  const faulty = (status: number): Case => {
    return async (on) => {
      const target = await pathOf(on);
      on.mock.faults.add({ operation: id, times: 1, effect: { status } });
      return on.call(method, target, body);
    };
  };
  const cases: Record<number, Case> = {
    200: call,
    201: call,
    202: call,
    204: call,
    400: async (on) =>
      body ? call(on, { raw: '{' }) : on.call(method, `${await pathOf(on)}?cursor=foreign`),
    401: (on) => call(on, { key: null }),
    403: (on) => call(on, { key: on.mock.memberKey }),
    404: async (on) => {
      const target = await pathOf(on);
      return on.call(method, target.replace(/_[0-9a-z]{26}/, '_nope'), body);
    },
    // While a fault delays the first call with the same key.
    409: async (on) => {
      const target = await pathOf(on);
      on.mock.faults.add({ operation: '*', times: 1, effect: { delay: 20 } });
      const once = { headers: { 'idempotency-key': 'once' } };
      const first = on.call(method, target, body, once);
      const second = await on.call(method, target, body, once);
      await first;
      return second;
    },
    413: (on) => call(on, { raw: `"${'x'.repeat(1024 * 1024)}"` }),
    415: (on) => call(on, { headers: { 'content-type': 'text/plain' } }),
    422: async (on) => {
      const target = await pathOf(on);
      if (typeof invalid === 'object') return on.call(method, target, invalid);
      if (body) return on.call(method, target, { ...body, unknown: 1 });
      return on.call(method, target + (invalid ?? '?unknown=1'));
    },
    429: async () => {
      const limited = contractServer({ rateLimit: { limit: 4, windowSeconds: 60 } });
      const target = await pathOf(limited);
      let last = await limited.call(method, target, body);
      for (let turn = 0; turn < 4; turn += 1) last = await limited.call(method, target, body);
      return last;
    },
    500: faulty(500),
    503: faulty(503),
  };
  return { cases: { ...cases, ...own }, call };
}

const expectedCodes: Readonly<Record<number, string>> = {
  401: 'missing_credentials',
  403: 'insufficient_permissions',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

/**
 * Tests an operation once per status that the contract declares. A response that differs from the contract fails its
 * test.
 */
export function describeOperation(id: OperationId, row: Row): void {
  const { statuses, role }: OperationDetails = operationDetails[id];
  const { cases, call } = casesOf(id, row);

  describe(id, () => {
    test.each(statuses)('responds with %i as the contract declares', async (status) => {
      const response = await (cases[status] as Case)(contractServer());
      expect(response.status, await response.clone().text()).toBe(status);
      if (status < 400) return;
      const { code, requestId } = await problemOf(response);
      expect(requestId).toBe(response.headers.get('x-request-id'));
      expect(code).toBe(expectedCodes[status] ?? code);
    });

    if (role !== 'member') return;
    test('a member can call it', async () => {
      const on = contractServer();
      const response = await call(on, { key: on.mock.memberKey });
      expect(response.status).toBeLessThan(300);
    });
  });
}
