/**
 * The whole story on real parts: a reference server on loopback, a receiver of our own beside it, and the client
 * between them. `npm start` plays it and then keeps serving; `npm start -- --once` ends after it.
 */
import { parseArgs } from 'node:util';
import { serve } from '../../mock-server/http/serve.ts';
import { createMockServer } from '../../mock-server/index.ts';
import { builtDashboard } from './dashboard.ts';
import { narrator } from './narrator.ts';
import { playStory } from './play.ts';

const { values } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    port: { type: 'string', default: '4010' },
  },
});
const tell = narrator(process.stdout);

const mock = createMockServer({ baseUrl: `http://127.0.0.1:${values.port}` });
const dashboard = values.once ? false : await builtDashboard();
const server = await serveOnFreePort(Number(values.port));
tell.title('contentgen: the reference server and its whole story');
tell.fact('listening', server.url);

try {
  await playStory({ mock, url: server.url, tell });
} catch (error) {
  tell.failure(error);
  await server.close();
  process.exit(1);
}

if (values.once) {
  await server.close();
} else {
  tell.title('The server keeps running. Press Ctrl-C to end it.');
  tell.fact('dashboard', `${server.url}/`);
  tell.fact('base URL', server.url);
  tell.fact('admin key', mock.adminKey);
  tell.fact('member key', mock.memberKey);
  tell.fact('signing secret', mock.signingSecret);
  tell.line(`curl -s ${server.url}/api/ai/content/generate -H 'X-API-Key: ${mock.memberKey}' \\`);
  tell.line(`  -H 'Content-Type: application/json' -d '{"prompt":"A haiku about TCP"}'`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
}

async function serveOnFreePort(port: number): Promise<Awaited<ReturnType<typeof serve>>> {
  try {
    return await serve(mock, { port, dashboard });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    tell.line(`Port ${port} is in use, so the server takes a free one.`);
    return await serve(mock, { port: 0, dashboard });
  }
}
