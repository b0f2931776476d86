import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ContentGen } from '../../../src/index.ts';
import { verifyWebhook } from '../../../src/webhooks/index.ts';
import { freePort } from '../../support/free-port.ts';
import { seeded } from '../../support/seeded.ts';
import { serve } from '../../support/sockets.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { startMock } from './command.ts';

/** `CONTENTGEN_KILLS=200` kills the server at that many random points. */
const KILLS = Number(process.env['CONTENTGEN_KILLS'] ?? 3);
const GENERATIONS = Math.max(500, 25 * KILLS);
const CLIENTS = 20;

test(
  'kills at random points during asynchronous generations lose nothing that was acknowledged',
  async () => {
    const folder = temporaryFolder();
    const port = String(await freePort());
    const args = ['--data', join(folder, 'contentgen.db'), '--port', port, '--log', 'none'];
    const got: { readonly headers: Record<string, string>; readonly body: Buffer }[] = [];
    const hooks = await serve(async (request, response) => {
      const body = await buffer(request);
      got.push({ headers: request.headers as Record<string, string>, body });
      response.end('ok');
    });

    let server = await startMock(args);
    const { adminKey, memberKey, signingSecret, url } = server.mock;
    const [client, admin] = [memberKey, adminKey].map(
      (key) =>
        new ContentGen({ baseUrl: url, apiKey: String(key), maxRetries: 50, logLevel: 'off' }),
    ) as [ContentGen, ContentGen];
    const hook = await admin.webhooks.create({ event: 'data_updated', url: hooks });

    const acknowledged = new Set<string>();
    const random = seeded();
    const perKill = (GENERATIONS - CLIENTS) / KILLS;
    const kills = Array.from({ length: KILLS }, (_, n) => (n + random()) * perKill);
    let restart = Promise.resolve();
    async function killAndRestart(): Promise<void> {
      server.child.kill('SIGKILL');
      expect(await server.ended).toBe('SIGKILL');
      server = await startMock(args);
      expect(server.mock).toMatchObject({ adminKey: null, signingSecret });
      const before = changes;
      const { description } = await admin.webhooks.get(hook.id);
      expect(Number(description ?? 0)).toBeGreaterThanOrEqual(before);
    }

    let changes = 0;
    const change = async () => {
      while (acknowledged.size < GENERATIONS) {
        await admin.webhooks.update(hook.id, { description: `${changes + 1}` });
        changes += 1;
      }
    };

    let asked = 0;
    await Promise.all([
      change(),
      ...Array.from({ length: CLIENTS }, async () => {
        while (asked < GENERATIONS) {
          asked += 1;
          const prompt = `generation ${asked}`;
          const job = await client.content.generate({ prompt, webhookUrl: hooks });
          acknowledged.add(job.requestId);
          if (acknowledged.size >= (kills[0] ?? Number.POSITIVE_INFINITY)) {
            kills.shift();
            restart = restart.then(killAndRestart);
          }
        }
      }),
    ]);
    await restart;
    expect(kills).toEqual([]);
    expect(acknowledged.size).toBe(GENERATIONS);

    const delivered = new Map<string, Set<string>>();
    let verified = 0;
    const verifyAll = async () => {
      for (; verified < got.length; verified += 1) {
        const { headers, body } = got[verified] as (typeof got)[number];
        // The first ones came minutes ago when there are many kills.
        const tolerance = 3600;
        const event = await verifyWebhook({ headers, body, secret: signingSecret, tolerance });
        const { requestId = '', status } = event.payload as { requestId?: string; status?: string };
        expect(status).toBe('completed');
        delivered.set(requestId, (delivered.get(requestId) ?? new Set()).add(event.id));
      }
    };
    while (delivered.size < GENERATIONS) {
      await setTimeout(20);
      await verifyAll();
    }
    await verifyAll();

    expect(new Set(delivered.keys())).toEqual(acknowledged);
    // An event that is sent again after a kill keeps its id, so that a receiver can recognize it.
    expect([...delivered.values()].filter((ids) => ids.size !== 1)).toEqual([]);

    const keys = await admin.apiKeys.list();
    expect(keys.data).toHaveLength(2);
    let listed = 0;
    for await (const { status } of client.content.list({ limit: 100 })) {
      listed += 1;
      expect(status).toBe('completed');
    }
    expect(listed).toBe(GENERATIONS);

    server.child.kill('SIGKILL');
    await server.ended;
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      for (const key of [adminKey, memberKey]) expect(bytes.includes(String(key))).toBe(false);
    }
  },
  60_000 + 5_000 * KILLS,
);
