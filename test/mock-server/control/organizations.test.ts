import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { verifyWebhook } from '../../../src/webhooks/index.ts';
import {
  type ContractServer,
  contractServer,
  GENERATE,
  inbox,
  rejection,
} from '../service/helpers.ts';

const webhookUrl = 'https://app.example/cb';

test('each organization has its own keys, quota, data and secret, and sees nothing of the others', async () => {
  const on = contractServer({ quota: 1_000_000 });
  const { mock, ok, call } = on;
  const [one, other] = [mock.createOrganization({ quota: 1 }), mock.createOrganization()];
  expect(new Set([mock, one, other].map(({ signingSecret }) => signingSecret)).size).toBe(3);
  await ok('POST', GENERATE, { prompt: 'mine' }, { key: one.memberKey });
  const second = await call('POST', GENERATE, { prompt: 'p' }, { key: one.memberKey });
  expect(await rejection(second)).toEqual([429, 'quota_exceeded']);
  const usage = { organization: other.organization, used: 0, quota: 1_000_000 };
  expect(await ok('GET', '/api/usage', undefined, { key: other.memberKey })).toMatchObject(usage);
  const hook = { event: 'data_updated', url: 'https://app.example/hooks' };
  await ok('POST', '/api/webhooks', hook, { key: one.adminKey });
  for (const path of [GENERATE, '/api/webhooks', '/api/webhooks/deliveries']) {
    expect(await ok('GET', path, undefined, { key: other.adminKey })).toMatchObject({ data: [] });
  }
});

test('a further project of an organization shares its quota, which can be changed, but not its data', async () => {
  const { mock, ok } = contractServer();
  const { organization } = mock;
  const sibling = mock.createOrganization({ organization, quota: 500_000 });
  expect(sibling.organization).toBe(organization);
  await ok('POST', GENERATE, { prompt: 'shared' });
  const as = (key: string) => [undefined, { key }] as const;
  const usage = await ok('GET', '/api/usage', ...as(sibling.memberKey));
  expect(usage).toMatchObject({ requests: 1, quota: 500_000 });
  expect(await ok('GET', GENERATE, ...as(sibling.adminKey))).toMatchObject({ data: [] });
});

test('a callback is signed with the secret of the project that requested it', async () => {
  const on = contractServer();
  const another = on.mock.createOrganization();
  inbox(on, webhookUrl);
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl });
  await on.ok('POST', GENERATE, { prompt: 'p', webhookUrl }, { key: another.memberKey });
  await on.mock.settle();
  const [mine, theirs] = on.mock.deliveries();
  const verify = (delivery: typeof mine, secret: string) => {
    const headers = delivery?.attempts[0]?.requestHeaders ?? {};
    const { body = '' } = delivery ?? {};
    const logger = { ...console, diagnose: false };
    return verifyWebhook({ body, headers, secret, now: on.mock.clock.now, logger });
  };
  expect((await verify(mine, on.mock.signingSecret)).type).toBe('generation_completed');
  expect((await verify(theirs, another.signingSecret)).type).toBe('generation_completed');
  const mismatch = { code: 'signature_mismatch' };
  await expect(verify(theirs, on.mock.signingSecret)).rejects.toMatchObject(mismatch);
});

test('a valid admin key is accepted and a malformed one is rejected', async () => {
  const { adminKey } = contractServer({ seed: 9 }).mock;
  const { mock, ok } = contractServer({ adminKey });
  expect(mock.adminKey).toBe(adminKey);
  await ok('GET', '/api/webhooks');
  expect(() => createMockServer({ adminKey: 'cg_test_mine' })).toThrow('adminKey');
});

describe('after a rotation, signingSecret is the current secret', () => {
  const rotate = async ({ ok }: ContractServer, key?: string) => {
    const path = '/api/webhooks/signing-secret/rotate';
    const options = key === undefined ? {} : { key };
    return (await ok<{ secret: string }>('POST', path, { overlapSeconds: 0 }, options)).secret;
  };

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
