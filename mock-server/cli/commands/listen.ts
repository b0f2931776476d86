import type { PushedDelivery } from '../../control/listen/delivery-listeners.ts';
import type {
  ListenerRotation,
  ListenerView,
} from '../../control/listen/listener-registrations.ts';
import { receiveDeliveries } from '../../control-api/client/receive-deliveries.ts';
import { systemEvents } from '../../domain/event-names.ts';
import type { OutboundOutcome } from '../../domain/ports.ts';
import { createOutbound } from '../../outbound/transport.ts';
import { defineCommand } from '../command.ts';
import { controlTokenFlag, urlFlag, withServer } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { type FlagValues, option, repeatedOption, requiredOption, toggle } from '../flags.ts';
import { adviceFor } from '../receiver-advice.ts';
import { stopSignal, type Terminal } from '../terminal.ts';
import { anyText, localUrl, oneOf } from '../values.ts';

/** The server gives up after 15 s, so a later response would not count. */
const FORWARD_MS = 14_500;

const flags = {
  'forward-to': requiredOption('URL', 'Your endpoint, for example localhost:3000/hooks', localUrl),
  event: repeatedOption('EVENT', 'Forward only this event', oneOf(systemEvents), {
    shownDefault: 'all',
  }),
  secret: option('whsec_...', 'Sign with this secret', anyText, {
    shownDefault: "the project's signing secret",
  }),
  organization: option('ID', 'The organization; the first one by default', anyText),
  name: option('NAME', 'Keep the same callback URL from one run to the next', anyText, {
    shownDefault: 'random',
  }),
  url: urlFlag,
  'control-token': controlTokenFlag,
  deployment: deploymentFlag,
  json: toggle('Print one line of JSON per delivery'),
};

type Values = FlagValues<typeof flags>;

export const listen = defineCommand({
  description: `Forward every delivery of a running server, here or on another machine, to your own server, with the
original bytes and signature. The connection goes out from here, so your server needs no public address. It
reconnects when the server restarts. The registrations are deleted when the command ends.`,
  flags,
  examples: [
    'contentgen listen --forward-to localhost:3000/webhooks',
    'contentgen listen --forward-to localhost:3000/hooks --event invoice_paid',
    'contentgen listen --forward-to localhost:3000/hooks --url http://mock.internal:4010',
  ],
  run: ({ flags: values }, terminal) =>
    withServer(values, async () => {
      const ended = new AbortController();
      void stopSignal().then(() => ended.abort());
      await listenUntil(ended.signal, values, terminal);
      return 0;
    }),
});

async function listenUntil(signal: AbortSignal, values: Values, terminal: Terminal): Promise<void> {
  const { url, 'forward-to': target, event, secret, organization } = values;
  const { name = crypto.randomUUID().slice(0, 8) } = values;
  /** The secrets printed last: the project's, and those of registrations by their ids. */
  const printed = new Map<string, string>();
  let connected = false;
  const { send, close } = createOutbound({ allowPrivate: true });
  /** Sends the same bytes with the same headers, so that the signature stays valid. */
  const forward = ({ headers, body }: PushedDelivery) =>
    send(
      { url: target.href, headers, body: new TextEncoder().encode(body) },
      { signal: AbortSignal.timeout(FORWARD_MS) },
    );
  await receiveDeliveries({
    url,
    controlToken: values['control-token'],
    signal,
    options: {
      name,
      description: `contentgen listen, forwards to ${target.origin}${target.pathname}`,
      ...(event.length > 0 && { events: event }),
      ...(secret !== undefined && { secret }),
      ...(organization !== undefined && { organization }),
    },
    onReady(view) {
      if (connected) terminal.err(`Reconnected to ${url}.`);
      connected = true;
      // A server that kept nothing signs with a new secret after its restart.
      if (printed.get('project') !== view.secret) announce(view, values, terminal);
      printed.set('project', view.secret);
    },
    onRotated(rotation) {
      const signer = rotation.webhook?.id ?? 'project';
      if (printed.get(signer) !== rotation.secret) announceRotation(rotation, values, terminal);
      printed.set(signer, rotation.secret);
    },
    onLost: () => terminal.err(`Lost the connection to ${url}. Reconnecting.`),
    async onDelivery(delivery) {
      const started = performance.now();
      const outcome = await forward(delivery);
      report(delivery, outcome, Math.round(performance.now() - started), values, terminal);
      if ('error' in outcome) {
        const { error, reason = error } = outcome;
        return {
          status: 502,
          body: `contentgen listen failed to reach ${target.origin}: ${reason}`,
        };
      }
      const { status, snippet, retryAfter } = outcome;
      return { status, body: snippet, ...(retryAfter !== undefined && { retryAfter }) };
    },
  });
  await close();
}

/** Prints one line of JSON, or the lines for a reader. */
function print({ json }: Values, { out }: Terminal, facts: object, lines: readonly string[]): void {
  for (const line of json ? [JSON.stringify(facts)] : lines) out(line);
}

function announce(
  { url, webhooks, events, secret }: ListenerView,
  values: Values,
  terminal: Terminal,
) {
  const { href } = values['forward-to'];
  const { paint } = terminal;
  print(values, terminal, { listening: url, forwardTo: href, webhooks, secret }, [
    `Forwarding ${events.join(', ')} to ${paint('cyan', href)}`,
    `Signing secret: ${paint('cyan', secret)}`,
    `For result callbacks, pass ${paint('cyan', url)} as webhookUrl.`,
  ]);
}

function announceRotation(rotation: ListenerRotation, values: Values, terminal: Terminal) {
  const { webhook, secret, previousExpiresAt } = rotation;
  const of = webhook ? ` of ${webhook.event}` : '';
  const previous =
    previousExpiresAt === undefined
      ? 'The previous one no longer signs.'
      : `Until ${previousExpiresAt}, the previous one signs too.`;
  print(values, terminal, { rotated: true, webhook, secret, previousExpiresAt }, [
    `The ${webhook ? 'secret' : 'signing secret'}${of} was rotated. ${previous}`,
    `Signing secret${of}: ${terminal.paint('cyan', secret)}`,
  ]);
}

function report(
  { headers, body }: PushedDelivery,
  outcome: OutboundOutcome,
  durationMs: number,
  values: Values,
  terminal: Terminal,
): void {
  const event = eventNameOf(body);
  const id = headers['webhook-id'] ?? '';
  const facts =
    'error' in outcome
      ? { status: 502, error: outcome.error, reason: outcome.reason }
      : { status: outcome.status, response: outcome.snippet };
  const { status, error } = facts;
  const { code, hint } = adviceFor(facts);
  const { paint } = terminal;
  const color = status >= 200 && status < 300 ? 'green' : 'red';
  const shown = paint(
    color,
    [error ?? status, code].filter((part) => part !== undefined).join(' '),
  );
  print(values, terminal, { event, id, status, durationMs, error, code, hint }, [
    `${event}  ${id}  → ${shown}  ${paint('dim', `${durationMs} ms`)}`,
    ...(hint === undefined ? [] : [`  ${paint('yellow', hint)}`]),
  ]);
}

/** Result callbacks carry no event name. */
function eventNameOf(body: string): string {
  try {
    const payload = JSON.parse(body) as Record<string, unknown>;
    if (typeof payload['event'] === 'string') return payload['event'];
    return payload['error'] === undefined ? 'generation_completed' : 'generation_failed';
  } catch {
    return 'delivery';
  }
}
