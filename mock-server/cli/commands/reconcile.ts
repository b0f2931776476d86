import { reconcile as catchUp, type ReconcileReport } from '../../../src/webhooks/index.ts';
import { defineCommand } from '../command.ts';
import { controlTokenFlag, urlFlag, withServer } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { option, requiredOption, toggle } from '../flags.ts';
import type { Terminal } from '../terminal.ts';
import { anyText, UsageError } from '../values.ts';

export const reconcile = defineCommand({
  description: `After an outage of your receiver, ask the service to resend everything undelivered: failed deliveries,
and those waiting for their next attempt. They keep their webhook-id, so a receiver that remembers
deliveries handles each one once. Exits with 1 if some cannot be resent.`,
  flags: {
    since: requiredOption(
      'TIME',
      "How far to go back: '3 days', '90 minutes', or an ISO 8601 time",
      anyText,
    ),
    url: urlFlag,
    'api-key': option(
      'KEY',
      'An admin key; a contentgen mock on this machine needs none',
      anyText,
      {
        env: 'CONTENTGEN_API_KEY',
      },
    ),
    'control-token': controlTokenFlag,
    deployment: deploymentFlag,
    json: toggle('Print JSON'),
  },
  examples: [
    "contentgen reconcile --since '3 days'",
    'contentgen reconcile --since 2026-01-01T06:00:00Z --url https://api.example.com --api-key cg_live_...',
  ],
  async run({ flags }, terminal) {
    const { since, 'api-key': apiKey } = flags;
    if (since === undefined)
      throw new UsageError("--since is missing, for example --since '3 days'.");
    return withServer(flags, async (connection) => {
      const client = await connection.client();
      // A contentgen mock can have its own clock.
      const serverTime = apiKey ? Date.now() : await connection.control.clock.now();
      const report = await catchUp({
        client,
        since,
        now: () => serverTime,
        onProgress: ({ delivered, failed, missed }) => {
          if (!flags.json && (delivered + failed) % 100 === 0)
            terminal.out(`${delivered + failed} of ${missed}`);
        },
      }).catch((error) => {
        if (Object(error).code !== 'webhook_configuration') throw error;
        if (String(error.message).includes('in the future'))
          throw new UsageError(`--since is in the future: '${since}'.`);
        throw new UsageError(
          `--since must be a duration such as '3 days', or an ISO 8601 time with its zone, not '${since}'.`,
        );
      });
      show(report, flags.json, terminal);
      return report.failed === 0 ? 0 : 1;
    });
  },
});

function show(report: ReconcileReport, json: boolean, terminal: Terminal): void {
  const { checked, delivered, failed, next, interrupted, failures } = report;
  const reasons = failures.map(({ messageId, error }) => ({
    messageId,
    reason: String(Object(error).message ?? error),
  }));
  if (json) {
    terminal.out(
      JSON.stringify({ checked, delivered, failed, next, interrupted, failures: reasons }),
    );
    return;
  }
  const { paint } = terminal;
  for (const { messageId, reason } of reasons)
    terminal.out(`${paint('red', 'failed')} ${messageId}  ${paint('dim', reason)}`);
  for (const id of interrupted)
    terminal.out(
      `${paint('yellow', 'gap')} ${id} was disabled: events raised meanwhile have no delivery`,
    );
  terminal.out(`checked ${checked}, resent ${delivered}, failed ${failed}`);
  terminal.out(paint('dim', `To continue from here: contentgen reconcile --since ${next}`));
}
