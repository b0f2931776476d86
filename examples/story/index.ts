/**
 * The whole story over real sockets: a reference server, a receiver and a client on loopback.
 * `npm start` plays it and keeps the server running; `npm start -- --once` exits afterwards.
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
const say = narrator(process.stdout);

const mock = createMockServer({ baseUrl: `http://127.0.0.1:${values.port}` });
const dashboard = values.once ? false : await builtDashboard();
const server = await serveOnFreePort(Number(values.port));
say.title('contentgen: the whole story against the reference server');
say.fact('listening', server.url);

try {
  await playStory({ mock, url: server.url, narrator: say });
} catch (error) {
  say.failure(error);
  await server.close();
  process.exit(1);
}

if (values.once) {
  await server.close();
} else {
  say.title('The server keeps running. Press Ctrl-C to stop it.');
  say.fact('dashboard', `${server.url}/`);
  say.fact('base URL', server.url);
  say.fact('admin key', mock.adminKey);
  say.fact('member key', mock.memberKey);
  say.fact('signing secret', mock.signingSecret);
  say.line(`curl -s ${server.url}/api/ai/content/generate -H 'X-API-Key: ${mock.memberKey}' \\`);
  say.line(`  -H 'Content-Type: application/json' -d '{"prompt":"A haiku about TCP"}'`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
}

async function serveOnFreePort(port: number): Promise<Awaited<ReturnType<typeof serve>>> {
  try {
    return await serve(mock, { port, dashboard });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    say.line(`Port ${port} is in use; using a free one.`);
    return await serve(mock, { port: 0, dashboard });
  }
}
