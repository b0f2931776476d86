import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { withPostgres } from '../../support/servers.ts';
import { startInstance, until } from './processes.ts';

describe.runIf(needs('postgres'))('while the database is down', () => {
  test('/health is 503, the contract is still served, and standard error has a line per reason', async () => {
    const postgres = await withPostgres();
    onTestFinished(() => postgres.stop());
    const { url, stderr } = await startInstance(postgres.database('down'));
    const health = async () => (await fetch(`${url}/health`)).status;
    expect(await health()).toBe(200);
    await postgres.end('SIGINT');
    await until(async () => (await health()) === 503);
    expect((await fetch(`${url}/openapi.yaml`)).status).toBe(200);
    await until(() => stderr().includes('ECONNREFUSED'));
    const lines = stderr().trim().split('\n');
    for (const line of lines) {
      expect(line).toMatch(/^contentgen mock: Failed to use PostgreSQL: .+ Retrying\.$/);
    }
    await postgres.start();
    await until(async () => (await health()) === 200);
  });
});
