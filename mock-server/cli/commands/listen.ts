import { setTimeout as pause } from 'node:timers/promises';
import type { ListenerView, PushedDelivery } from '../../control/listen/delivery-listeners.ts';
import type { ListenerRotation } from '../../control/listen/listener-registrations.ts';
import { controlUrl } from '../../control-api/client/control-address.ts';
import {
  type ListenSettings,
  listenForDeliveries,
  stopListener,
} from '../../control-api/client/listen-client.ts';
import { systemEvents } from '../../domain/event-names.ts';
import { defineCommand } from '../command.ts';
import { controlTokenFlag, urlFlag, withServer } from '../connection.ts';
import { type FlagValues, option, repeatedOption, requiredOption, toggle } from '../flags.ts';
import { type Forwarded, forward } from '../forward.ts';
import { adviceFor } from '../receiver-advice.ts';
import { stopSignal, type Terminal } from '../terminal.ts';
import { anyText, localUrl, oneOf } from '../values.ts';

const STOP_MS = 2000;

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
  const { 'forward-to': target, json, event, secret, organization } = values;
  const { name = crypto.randomUUID().slice(0, 8) } = values;
  const base = controlUrl(values.url);
  let current: ListenerView | undefined;
  /** By registration. */
  const rotated = new Map<string, string>();
  const settings: ListenSettings = {
    base,
    fetch,
    controlToken: values['control-token'],
    signal,
    pause: (ms, stop) => pause(ms, undefined, { signal: stop }),
    options: {
      name,
      description: `contentgen listen, forwards to ${target.origin}${target.pathname}`,
      ...(event.length > 0 ? { events: event } : {}),
      ...(secret === undefined ? {} : { secret }),
      ...(organization === undefined ? {} : { organization }),
    },
    onReady(view) {
      if (current) terminal.err(`Reconnected to ${values.url}.`);
      // A server that kept nothing signs with a new secret after its restart.
      if (view.secret !== current?.secret) announce(view, values, terminal);
      current = view;
    },
    onRotated(rotation) {
      const { webhook, secret } = rotation;
      if (webhook && rotated.get(webhook.id) === secret) return;
      announceRotation(rotation, json, terminal);
      if (webhook) rotated.set(webhook.id, secret);
      else if (current) current = { ...current, secret };
    },
    onLost: () => terminal.err(`Lost the connection to ${values.url}. Reconnecting.`),
    async onDelivery(delivery) {
      const forwarded = await forward(target, delivery);
      report(delivery, forwarded, json, terminal);
      const { status, body, retryAfter } = forwarded;
      return { status, body, ...(retryAfter === undefined ? {} : { retryAfter }) };
    },
  };
  try {
    await listenForDeliveries(settings);
  } finally {
    // If another listener has taken over the name, the registrations now belong to it.
    if (current && signal.aborted) {
      await stopListener(settings, AbortSignal.timeout(STOP_MS)).catch(() => {});
    }
  }
}

function announce(
  { url, webhooks, events, secret }: ListenerView,
  { 'forward-to': { href }, json }: Values,
  { out, paint }: Terminal,
): void {
  if (json) {
    out(JSON.stringify({ listening: url, forwardTo: href, webhooks, secret }));
    return;
  }
  out(`Forwarding ${events.join(', ')} to ${paint('cyan', href)}`);
  out(`Signing secret: ${paint('cyan', secret)}`);
  out(`For result callbacks, pass ${paint('cyan', url)} as webhookUrl.`);
}

function announceRotation(
  { webhook, secret, previousExpiresAt }: ListenerRotation,
  json: boolean,
  { out, paint }: Terminal,
): void {
  if (json) {
    out(JSON.stringify({ rotated: true, webhook, secret, previousExpiresAt }));
    return;
  }
  const previous =
    previousExpiresAt === undefined
      ? 'The previous one no longer signs.'
      : `Until ${previousExpiresAt}, the previous one signs too.`;
  if (webhook) {
    out(`The secret of ${webhook.event} was rotated. ${previous}`);
    out(`Signing secret of ${webhook.event}: ${paint('cyan', secret)}`);
    return;
  }
  out(`The signing secret was rotated. ${previous}`);
  out(`Signing secret: ${paint('cyan', secret)}`);
}

function report(
  { headers, body }: PushedDelivery,
  { status, body: response, error, durationMs }: Forwarded,
  json: boolean,
  { out, paint }: Terminal,
): void {
  const event = eventNameOf(body);
  const id = headers['webhook-id'] ?? '';
  const { code, hint } = adviceFor({ status, response, error });
  if (json) {
    out(JSON.stringify({ event, id, status, durationMs, error, code, hint }));
    return;
  }
  const succeeded = status >= 200 && status < 300;
  const outcome = [error ?? String(status), ...(code === undefined ? [] : [code])].join(' ');
  const shown = paint(succeeded ? 'green' : 'red', outcome);
  out(`${event}  ${id}  → ${shown}  ${paint('dim', `${durationMs} ms`)}`);
  if (hint !== undefined) out(`  ${paint('yellow', hint)}`);
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
