import { describe, expect, test } from 'vitest';
import { type ContractServer, contractServer } from '../service/helpers.ts';

describe('after a rotation, signingSecret is the current secret', () => {
  const ROTATE = '/api/webhooks/signing-secret/rotate';
  const rotate = async ({ ok }: ContractServer, key?: string) =>
    (await ok<{ secret: string }>('POST', ROTATE, { overlapSeconds: 0 }, key ? { key } : {}))
      .secret;

  test('of the server, and reset and restore bring back the one of their state', async () => {
    const on = contractServer();
    const { mock } = on;
    const before = mock.signingSecret;
    const saved = mock.snapshot();
    const fresh = await rotate(on);
    expect(mock.signingSecret).toBe(fresh);
    expect(mock.access().signingSecret).toBe(fresh);
    const rotated = mock.snapshot();
    mock.reset();
    expect(mock.signingSecret).toBe(before);
    mock.restore(rotated);
    expect(mock.signingSecret).toBe(fresh);
    mock.restore(saved);
    expect(mock.signingSecret).toBe(before);
  });

  test('of a tenant, until it is deleted', async () => {
    const on = contractServer();
    const tenant = on.mock.createOrganization();
    const fresh = await rotate(on, tenant.adminKey);
    expect(tenant.signingSecret).toBe(fresh);
    expect({ ...tenant }).toMatchObject({ project: tenant.project, signingSecret: fresh });
    expect(JSON.parse(JSON.stringify(tenant))).toEqual({ ...tenant });
    on.mock.deleteOrganization(tenant.organization);
    expect(tenant.signingSecret).toBe('');
  });
});

test('after the snapshot of another server is restored, the mock is that server', async () => {
  const other = contractServer({ seed: 7 }).mock;
  const { mock } = contractServer({ seed: 8 });
  mock.restore(other.snapshot());
  const { organization, project, signingSecret } = other;
  expect(mock).toMatchObject({ organization, project, signingSecret });
  expect(mock.trigger('data_updated')).toEqual([]);
  expect(mock.access()).toEqual({ organization, project, signingSecret });
  expect(await mock.issueToken({ role: 'admin' })).toMatch(/^ey/);
  expect(() => mock.deleteOrganization(organization)).toThrow('first organization');
  mock.reset();
  expect(mock.organization).not.toBe(organization);
});
