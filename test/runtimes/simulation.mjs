import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodesOf } from './snippets.mjs';

const run = promisify(execFile);

// Ten runs with every kind of fault; the hash is over the hashes of their traces.
const script = `
import { createHash } from 'node:crypto';
import { simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';

const hashes = [];
const quiet = { error() {}, warn() {} };
for (let seed = 1; seed <= 10; seed += 1) {
  const error = await simulate({
    seeds: { from: seed, count: 1 },
    ...{ replicas: 2, shrinkMs: 0 },
    chaos: {
      ...{ loseAnswer: 0.1, duplicate: 0.1, reorder: 0.3, delay: '2 minutes', crash: 0.03, pause: 0.02 },
      ...{ unavailable: 0.1, rateLimited: 0.05, stall: 0.05, unreachable: 0.05, modelFails: 0.05 },
    },
    app({ client, secret, disk, url }) {
      const db = disk.open('db');
      const done = ({ payload }) => db.transaction((tx) => tx.set(payload.requestId, payload.result));
      return {
        order: (prompt) => client.content.start({ prompt, webhookUrl: url }),
        webhooks: createWebhookHandler({ secret, logger: quiet, on: { generation_completed: done } }),
      };
    },
    receive: ({ webhooks }) => webhooks,
    run: ({ app }) => Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((prompt) => app.order(prompt))),
    check: () => { throw new Error('as planned'); },
  }).catch((reason) => reason);
  if (error.cause?.message !== 'as planned') throw error;
  hashes.push(error.traceHash);
}
console.log(createHash('sha256').update(hashes.join()).digest('hex'));
`;

/** A failing seed gives the same trace on every supported Node. */
export async function sameTraces(modules, application) {
  const file = join(application.folder, 'same-traces.mjs');
  writeFileSync(file, script);
  const results = await Promise.all(
    nodesOf(modules).map(async (node) => {
      const { stdout } = await run(node, [file], { cwd: application.folder });
      return stdout.trim();
    }),
  );
  const same = new Set(results).size === 1;
  const error = `The hashes differ: ${results.join(', ')}`;
  const failures = same ? [] : [{ file: 'simulation.mjs', name: 'the same trace hash', error }];
  return { claims: results.length, skipped: 0, failures };
}
