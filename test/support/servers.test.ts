import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { needs } from './needs.ts';
import { withPostgres, withRedis } from './servers.ts';

describe.runIf(needs('redis'))('a throwaway Redis', () => {
  test('responds while it runs and is gone once stopped', async () => {
    const redis = await withRedis();
    expect(await sendAndRead(redis.port, 'PING\r\n')).toBe('+PONG\r\n');
    await redis.stop();
    await expect(sendAndRead(redis.port, 'PING\r\n')).rejects.toThrow('ECONNREFUSED');
  });
});

describe.runIf(needs('postgres'))('a throwaway PostgreSQL', () => {
  test('responds while it runs and is gone once stopped', async () => {
    const { default: pg } = await import('pg');
    const postgres = await withPostgres();
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => {});
    await client.connect();
    expect((await client.query('select 1 + 1 as sum')).rows).toEqual([{ sum: 2 }]);
    await client.end();
    await postgres.stop();
    await expect(sendAndRead(postgres.port, '')).rejects.toThrow('ECONNREFUSED');
  });
});

function sendAndRead(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', (chunk) => {
      resolve(chunk.toString());
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
