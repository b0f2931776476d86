import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * The command as installed: in memory on every Node; with `--data` where `node:sqlite` exists, and rejected
 * with one line elsewhere.
 */
export async function commandOn(application, node, hasSqlite) {
  const failures = [];
  const claims = {
    'contentgen mock serves its API from memory': async () => {
      const server = await start([]);
      equal((await usage(server)).status, 200);
      await server.stop();
    },
    ...(hasSqlite
      ? {
          'with --data a key of the first start works in the second': async () => {
            const data = `data-${crypto.randomUUID()}.db`;
            const first = await start(['--data', data]);
            equal((await usage(first)).status, 200);
            await first.stop();
            const second = await start(['--data', data]);
            equal(second.adminKey, null);
            equal((await usage({ ...second, adminKey: first.adminKey })).status, 200);
            await second.stop();
          },
        }
      : {
          'with --data it says in one line which Node it needs, exit 2': async () => {
            const child = launch(['--data', 'data.db']);
            let said = '';
            child.stderr.on('data', (chunk) => {
              said += chunk;
            });
            equal((await once(child, 'close'))[0], 2);
            equal(/^contentgen mock: .*Node 22\.13.*\n$/.test(said), true);
          },
        }),
  };
  for (const [name, check] of Object.entries(claims)) {
    await check().catch((error) =>
      failures.push({ file: 'dist/mock/cli.js', name, error: String(error.stack) }),
    );
  }
  return { claims: Object.keys(claims).length, skipped: 0, failures };

  function launch(args) {
    const cli = join(application.folder, 'node_modules/contentgen/dist/mock/cli.js');
    return spawn(node, [cli, 'mock', '--port', '0', '--json', ...args], {
      cwd: application.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function start(args) {
    const child = launch(args);
    const ended = once(child, 'close');
    const line = await Promise.race([
      once(child.stdout, 'data').then(String),
      ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
    ]);
    const stop = async () => {
      child.kill();
      equal((await ended)[0], 0);
    };
    return { ...JSON.parse(line), stop };
  }
}

function usage({ url, adminKey }) {
  return fetch(`${url}/api/usage`, { headers: { 'X-API-Key': adminKey } });
}

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`${String(actual)} is not ${String(expected)}`);
}
