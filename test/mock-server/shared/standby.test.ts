import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { needs } from '../../support/needs.ts';
import { type ThrowAwayPostgres, withPostgres } from '../../support/servers.ts';
import { startInstance } from './processes.ts';

describe.runIf(needs('postgres'))('a standby', () => {
  let postgres: ThrowAwayPostgres;
  beforeAll(async () => {
    postgres = await withPostgres();
  });
  afterAll(() => postgres?.stop());

  async function startBoth(name: string, ...args: string[]) {
    const database = postgres.database(name);
    const leader = await startInstance(database);
    const standby = await startInstance(database, args);
    const universe = await connectMock(leader.url).createUniverse();
    const ask = (path: string, apiKey: string | null) =>
      fetch(standby.url + path, { headers: { 'x-api-key': String(apiKey) } });
    /** The API and the control API, of the server and of the universe. */
    const calls = [
      ['/api/usage', leader.mock.memberKey],
      [`/u/${universe.id}/api/usage`, universe.memberKey],
      ['/_control/clock', null],
      [`/u/${universe.id}/_control/clock`, null],
    ] as const;
    return { leader, standby, calls, ask };
  }

  test('with --standby reject responds 503 with Retry-After, for universes too', async () => {
    const { calls, ask } = await startBoth('rejects', '--standby', 'reject');
    for (const [path, key] of calls) {
      const response = await ask(path, key);
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([
        path,
        503,
        '1',
      ]);
      expect(await response.json()).toMatchObject({ code: 'unavailable' });
    }
    expect((await ask('/health', null)).status).toBe(200);
  });

  test('with --standby reject serves the documents that are the same in every process', async () => {
    const { leader, standby } = await startBoth('documents', '--standby', 'reject');
    for (const path of [
      '/openapi.yaml',
      '/openapi.yaml?download',
      '/reference',
      '/_control/openapi.yaml',
      '/_control/reference',
    ]) {
      const [theirs, ours] = await Promise.all([
        fetch(leader.url + path),
        fetch(standby.url + path),
      ]);
      expect([path, ours.status]).toEqual([path, 200]);
      expect([path, await ours.text()]).toEqual([path, await theirs.text()]);
      const headers = (response: Response) =>
        [...response.headers.keys()].filter((name) => name !== 'connection').sort();
      expect([path, headers(ours)]).toEqual([path, headers(theirs)]);
    }
    const head = await fetch(`${standby.url}/openapi.yaml`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/yaml']);
    const posted = await fetch(`${standby.url}/openapi.yaml`, { method: 'POST' });
    expect(posted.status).toBe(503);
  });

  test('forwards everything by default', async () => {
    const { calls, ask } = await startBoth('forwards');
    for (const [path, key] of calls) {
      expect([path, (await ask(path, key)).status]).toEqual([path, 200]);
    }
  });
});
