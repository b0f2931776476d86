import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContentGen } from '../../../src/index.ts';
import { type SystemEvent, systemEvents } from '../../domain/event-names.ts';
import { defineCommand } from '../command.ts';
import { urlFlag, withServer } from '../connection.ts';
import { option, optionOr, repeatedOption, requiredOption, toggle } from '../flags.ts';
import { type Forwarded, relay } from '../forward.ts';
import { stopSignal, type Terminal } from '../terminal.ts';
import { anyText, httpUrl, integer, oneOf, UsageError } from '../values.ts';

export const listen = defineCommand({
  description: `Register a loopback endpoint with a running server and forward every delivery to your own server, with the
original bytes and signature. The registrations are deleted when the command ends.`,
  flags: {
    'forward-to': requiredOption('URL', 'Your endpoint', httpUrl),
    event: repeatedOption('EVENT', 'Forward only this event', oneOf(systemEvents), {
      shownDefault: 'all',
    }),
    secret: option('whsec_...', 'Sign with this secret', anyText, {
      shownDefault: "the project's signing secret",
    }),
    port: optionOr(
      '0',
      'N',
      'Port of the loopback endpoint; 0 picks a free one',
      integer(0, 65_535),
    ),
    url: urlFlag,
    json: toggle('Print one line of JSON per delivery'),
  },
  examples: [
    'contentgen listen --forward-to http://localhost:3000/webhooks',
    'contentgen listen --forward-to http://localhost:3000/hooks --event invoice_paid',
  ],
  async run({ flags }, terminal) {
    const { 'forward-to': target, port, secret, json } = flags;
    const events = flags.event.length > 0 ? flags.event : systemEvents;
    return withServer(flags.url, async (connection) => {
      const client = await connection.client();
      const server = createServer((request, response) => {
        relay(target, request, response).then(
          (forwarded) => forwarded && report(forwarded, json, terminal),
          () => response.destroy(),
        );
      });
      const local = await start(server, port);
      const stopped = stopSignal();
      const ids: string[] = [];
      try {
        await register(client, { url: local, events, secret }, ids);
        if (json) {
          const facts = { listening: local, forwardTo: target.href, webhooks: ids };
          terminal.out(JSON.stringify(facts));
        } else {
          const { paint } = terminal;
          terminal.out(`Forwarding ${events.join(', ')} to ${paint('cyan', target.href)}`);
          terminal.out(`For result callbacks, pass ${paint('cyan', local)} as webhookUrl.`);
        }
        await stopped;
      } finally {
        server.close();
        server.closeAllConnections();
        await Promise.allSettled(ids.map((id) => client.webhooks.delete(id)));
      }
      return 0;
    });
  },
});

async function start(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new UsageError(`Port ${port} is in use. Choose another with --port.`)
          : error,
      ),
    );
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

interface Registrations {
  readonly url: string;
  readonly events: readonly SystemEvent[];
  readonly secret: string | undefined;
}

/** Adds each id as soon as it exists, so that the caller can delete it even if a later step fails. */
async function register(
  client: ContentGen,
  { url, events, secret: given }: Registrations,
  ids: string[],
): Promise<void> {
  const secret = given ?? (await client.webhooks.getSigningSecret()).secret;
  for (const event of events) {
    const description = 'contentgen listen';
    ids.push((await client.webhooks.create({ event, url, secret, description })).id);
  }
}

function report(
  { event, id, status, error, durationMs }: Forwarded,
  json: boolean,
  { out, paint }: Terminal,
): void {
  if (json) {
    out(JSON.stringify({ event, id, status, durationMs, ...(error ? { error } : {}) }));
    return;
  }
  const succeeded = status >= 200 && status < 300;
  const outcome = paint(succeeded ? 'green' : 'red', error ?? String(status));
  out(`${event}  ${id}  → ${outcome}  ${paint('dim', `${durationMs} ms`)}`);
}
