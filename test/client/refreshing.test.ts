import * as contentgen from 'contentgen';
import { describe, expect, test } from 'vitest';
import { clientOf, problem, type SeenRequest, scriptedService, turns } from './support/service.ts';

const { refreshing } = contentgen;

/** A service that accepts only the newest token, and a sign-in whose refresh token can be used once. */
function setUp({ failing = false } = {}) {
  let valid = 0;
  let mints = 0;
  const states: unknown[] = [];
  const mint = async (state: object) => {
    mints += 1;
    states.push(state);
    const refreshToken = valid;
    await turns(3);
    if (failing) throw new Error('signed out');
    if (refreshToken !== valid) throw new Error('this refresh token was used before');
    valid += 1;
    return `token_${valid}`;
  };
  const service = scriptedService();
  service.script(({ headers }: SeenRequest) =>
    headers['authorization'] === `Bearer token_${valid}`
      ? { json: { used: 1 } }
      : problem(401, 'expired_token'),
  );
  const options = { apiKey: undefined, accessToken: refreshing(mint) };
  const { client } = clientOf(service, options);
  const expire = () => {
    valid += 1;
  };
  return { client, service, mints: () => mints, states, expire };
}

const all = (calls: Promise<unknown>[]) =>
  Promise.allSettled(calls).then(
    (list) => list.filter(({ status }) => status === 'fulfilled').length,
  );

describe('refreshing()', () => {
  test('20 calls at once mint one token, refresh it once when it has expired, and stragglers take the new one', async () => {
    const { client, service, mints, states, expire } = setUp();
    const call20 = () => all(Array.from({ length: 20 }, () => client.usage.get()));
    expect([await call20(), mints()]).toEqual([20, 1]);
    service.seen.length = 0;
    expire();
    expect([await call20(), mints()]).toEqual([20, 2]);
    expect(states).toEqual([
      { expired: false, rejected: undefined },
      { expired: true, rejected: 'token_1' },
    ]);
    expect(service.seen.length).toBeLessThanOrEqual(40);
  });

  test('a refresh that fails is the error of every call that waited for it, and the next call tries again', async () => {
    const { client, mints } = setUp({ failing: true });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => client.usage.get().safe()));
    for (const { error } of outcomes) {
      expect(error).toMatchObject({
        code: 'credential_unavailable',
        cause: { message: 'signed out' },
      });
    }
    expect(mints()).toBe(1);
    await client.usage.get().safe();
    expect(mints()).toBe(2);
  });

  test('a call that is aborted while it refreshes does not take the token from the others', async () => {
    const { client, mints } = setUp();
    const controller = new AbortController();
    const aborted = client.usage.get({ signal: controller.signal }).safe();
    const other = client.usage.get();
    controller.abort();
    expect((await aborted).error).toMatchObject({ code: 'aborted' });
    expect(await other).toEqual({ used: 1 });
    expect(mints()).toBe(1);
  });
});
