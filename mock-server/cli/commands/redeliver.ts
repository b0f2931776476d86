import { type ContentGen, isApiError, type Webhook } from '../../../src/index.ts';
import { type Duration, isDuration, milliseconds } from '../../control/arguments.ts';
import { readInstant } from '../../control/clock/advance-clock.ts';
import { printable } from '../../domain/redact.ts';
import { addressOf, printAddress, urlFlag } from '../address.ts';
import { defineCommand } from '../command.ts';
import { controlTokenFlag, withServer } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { option, optionOr, requiredOption, toggle } from '../flags.ts';
import { type Terminal, toJsonLine } from '../terminal.ts';
import { anyText, oneOf, type Parse, UsageError } from '../values.ts';

/** How far the clock that wrote a time can be ahead of ours. */
const skewMs = 300_000;

/** A time in the past, as a duration or RFC 3339. Only the service may know what time it is now. */
const since: Parse<(nowMs: number) => Date> = (text, name) => {
  const duration = isDuration(text) ? milliseconds(text as Duration) : undefined;
  const fixed = readInstant(text);
  if (duration === undefined && fixed === undefined)
    throw new UsageError(
      `${name} must be a duration such as '2 hours', or an ISO 8601 time with its zone, not '${text}'.`,
    );
  return (nowMs) => {
    const time = fixed ?? nowMs - (duration ?? 0);
    if (time > nowMs + skewMs) throw new UsageError(`${name} is in the future: '${text}'.`);
    // There was nothing to miss before 1970.
    return new Date(Math.max(0, time));
  };
};

const statuses = ['failed', 'delivered'] as const;

interface Range {
  readonly since: Date;
  readonly status: (typeof statuses)[number];
}

interface Row {
  readonly id: string;
  readonly event: string;
  readonly count: number;
  /** Why nothing was resent: the registration is disabled. */
  readonly disabled?: string;
}

interface Report {
  readonly since: string;
  readonly status: Range['status'];
  readonly count: number;
  readonly callbacks: number;
  readonly webhooks: readonly Row[];
}

export const redeliver = defineCommand({
  description: `After an outage of your receiver, ask the service to resend the deliveries that have failed: the result
callbacks of the project, and the events of every registration. They keep their webhook-id, so a receiver
that remembers deliveries handles each one once. Exits with 1 if the service has disabled a registration.`,
  flags: {
    since: requiredOption(
      'TIME',
      "How far to go back: '2 hours', '3 days', or an ISO 8601 time",
      since,
    ),
    status: optionOr('failed', 'STATUS', 'failed, or delivered (but then lost)', oneOf(statuses)),
    url: urlFlag,
    'api-key': option(
      'KEY',
      'An admin key; a contentgen mock on this machine needs none',
      anyText,
      { env: 'CONTENTGEN_API_KEY' },
    ),
    'control-token': controlTokenFlag,
    deployment: deploymentFlag,
    json: toggle('Print JSON'),
  },
  examples: [
    "contentgen redeliver --since '2 hours'",
    'contentgen redeliver --since 2026-01-01T06:00:00Z --url https://api.example.com --api-key cg_live_...',
  ],
  async run(line, terminal) {
    const { flags } = line;
    const { since: sinceAt, status, 'api-key': apiKey } = flags;
    const address = addressOf(line, flags.url);
    printAddress(address, terminal);
    return withServer(address, flags, async (connection) => {
      // A contentgen mock can have its own clock.
      const now = apiKey ? Date.now() : await connection.control.clock.now();
      const range = { since: sinceAt(now), status };
      const report = await redeliverAll(await connection.client(), range);
      if (flags.json) terminal.out(toJsonLine(report));
      else show(report, terminal);
      return report.webhooks.some(isLost) ? 1 : 0;
    });
  },
});

async function redeliverAll({ webhooks }: ContentGen, range: Range): Promise<Report> {
  const { count: callbacks } = await webhooks.redeliverFailedCallbacks(range);
  const rows: Row[] = [];
  for await (const webhook of webhooks.list({ limit: 100 })) {
    rows.push(await redeliverOf(webhook, () => webhooks.redeliverFailed(webhook.id, range)));
  }
  const count = rows.reduce((sum, row) => sum + row.count, callbacks);
  const { since, status } = range;
  return { since: since.toISOString(), status, count, callbacks, webhooks: rows };
}

async function redeliverOf(
  { id, event, status, disabledReason }: Webhook,
  resend: () => Promise<{ readonly count: number }>,
): Promise<Row> {
  const disabled = { id, event, count: 0, disabled: disabledReason ?? 'unknown' };
  if (status === 'disabled') return disabled;
  try {
    return { id, event, count: (await resend()).count };
  } catch (error) {
    // Disabled or deleted since it was listed.
    if (isApiError(error) && error.code === 'invalid_state') return disabled;
    if (isApiError(error) && error.code === 'not_found') return { id, event, count: 0 };
    throw error;
  }
}

/** Whether the service has disabled the registration; one that its owner disabled misses nothing. */
const isLost = ({ disabled }: Row): boolean => disabled !== undefined && disabled !== 'requested';

function show({ count, callbacks, webhooks }: Report, { out, paint }: Terminal): void {
  out(`result callbacks: ${callbacks} resent`);
  for (const { id, event, count: own, disabled } of webhooks) {
    const what = `${id} ${printable(event)}:`;
    if (disabled === undefined) out(`${what} ${own} resent`);
    else out(`${what} ${paint('yellow', `disabled (${printable(disabled)})`)}, nothing resent`);
  }
  out(`in all: ${count} resent`);
  if (webhooks.some(isLost))
    out(
      paint(
        'dim',
        "Enable a registration with client.webhooks.update(id, { status: 'enabled' }), then run this again.",
      ),
    );
}
