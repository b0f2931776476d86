import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  createWebhookHandler,
  type Dedupe,
  type WebhookContext,
} from '../../src/webhooks/index.ts';
import { toNodeHandler } from '../../src/webhooks/node/index.ts';
import { connect } from './clients.ts';
import type { FromReceiver, ReceiverOptions } from './receiver.ts';

// A receiver that can pause at a given moment of a delivery: node receiver-process.ts <options as JSON>.
const options = JSON.parse(process.argv[2] ?? '') as ReceiverOptions;
const { ledger } = options;
const report = (message: FromReceiver) => process.send?.(message);
const waiting = new Map<string, () => void>();
const seen = new Set<string>();

/** Pauses the delivery named `<anything>-at-<moment>` the first time. */
async function stopAt(moment: string, id: string): Promise<void> {
  if (!options.stops || !id.endsWith(`-at-${moment}`) || seen.has(id)) return;
  seen.add(id);
  report({ at: id });
  await new Promise<void>((resolve) => waiting.set(id, resolve));
}

const connection = await connect(options);
const { dedupe } = connection;

const stopping: Dedupe = {
  ...dedupe,
  async claim(key, attemptId) {
    await stopAt('claim', key);
    return dedupe.claim(key, attemptId);
  },
  async complete(key, attemptId) {
    if (!options.commits) await stopAt('mark', key);
    return dedupe.complete(key, attemptId);
  },
};

const handler = createWebhookHandler({
  secret: options.secret,
  dedupe: stopping,
  logger: { warn: () => {}, error: (line) => console.log(line.split('\n')[0]) },
  onOther: async ({ id }, context) => {
    if (options.commits) return commit(id, context);
    await stopAt('callback', id);
    // Written synchronously, so that no kill can lose it.
    appendFileSync(ledger, `${id}\n`);
  },
});

async function commit(id: string, { commitWith }: WebhookContext): Promise<void> {
  if (!connection.commit) throw new Error(`${options.client} does not commit.`);
  await connection.commit(async (query) => {
    await stopAt('callback', id);
    await query('INSERT INTO effects (id) VALUES ($1)', [id]);
    await commitWith(query);
    await stopAt('mark', id);
  });
}

// The only message is to go on.
process.on('message', () => {
  for (const resolve of waiting.values()) resolve();
  waiting.clear();
});
process.on('disconnect', () => process.exit());

const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  report({ port: typeof address === 'object' ? (address?.port ?? 0) : 0 });
});
