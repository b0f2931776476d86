import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
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
    expect(internalsOf(mock).page.server().signingSecret).toBe(fresh);
    const rotated = mock.snapshot();
    mock.reset();
    expect(mock.signingSecret).toBe(before);
    mock.restore(rotated);
    expect(mock.signingSecret).toBe(fresh);
    mock.restore(saved);
    expect(mock.signingSecret).toBe(before);
  });

  test('of an organization, until a reset removes it', async () => {
    const on = contractServer();
    const own = on.mock.createOrganization();
    const fresh = await rotate(on, own.adminKey);
    expect(own.signingSecret).toBe(fresh);
    expect({ ...own }).toMatchObject({ project: own.project, signingSecret: fresh });
    expect(JSON.parse(JSON.stringify(own))).toEqual({ ...own });
    on.mock.reset();
    expect(own.signingSecret).toBe('');
  });
});

test('after the snapshot of another server is restored, the mock is that server', async () => {
  const other = contractServer({ seed: 7 }).mock;
  const { mock } = contractServer({ seed: 8 });
  mock.restore(other.snapshot());
  const { organization, signingSecret } = other;
  const { project } = internalsOf(other);
  expect(mock).toMatchObject({ organization, signingSecret });
  expect(mock.trigger('data_updated')).toEqual([]);
  const server = internalsOf(mock).page.server();
  expect(server).toMatchObject({ organization, project, signingSecret });
  expect(server).not.toHaveProperty('adminKey');
  expect(await mock.issueToken({ role: 'admin' })).toMatch(/^ey/);
  mock.reset();
  expect(mock.organization).not.toBe(organization);
});
