import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { verifyWebhook } from '../../../src/webhooks/index.ts';
import { served } from '../control-api/served.ts';
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

test('20 callers of one server, each with an organization, a fault and a quota, do not disturb each other', async () => {
  const { url } = await served();
  const control = connectMock(url);
  const caller = async (_: unknown, number: number) => {
    const { organization, adminKey } = await control.createOrganization({ quota: 1 });
    const client = new ContentGen({ baseUrl: url, apiKey: adminKey, maxRetries: 0 });
    const status = 500 + (number % 4);
    const fault = { organization, operation: 'getUsage', times: 1, effect: { status } } as const;
    await control.faults.add(fault);
    await client.content.generate({ prompt: 'p' });
    const failed = await client.usage.get().safe();
    const { requests } = await client.usage.get();
    const refused = await client.content.generate({ prompt: 'one more' }).safe();
    const logged = await control.requests({ organization });
    return {
      isOwnFault: Object(failed.error).status === status,
      requests,
      refused: refused.error?.code,
      logged: logged.length,
    };
  };
  const seen = await Promise.all(Array.from({ length: 20 }, caller));
  const alone = { isOwnFault: true, requests: 1, refused: 'quota_exceeded', logged: 4 };
  expect(seen).toEqual(seen.map(() => alone));
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
  const listed = internalsOf(mock).page.organizations();
  expect(listed).toHaveLength(2);
  expect(JSON.stringify(listed)).not.toContain('cg_test_');
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
