import { defineCommand } from '../command.ts';
import { CommandError, type ConnectionFlags, controlTokenFlag, withServer } from '../connection.ts';
import { option, toggle } from '../flags.ts';
import { anyText, baseUrl, httpUrl, UsageError } from '../values.ts';

const PROBE_MS = 5000;

export const audit = defineCommand({
  description: `Send a receiver valid, duplicated, tampered, stale, unsigned and other forged deliveries, and report how it
responds. Valid ones take effect, so audit a test deployment. Exits with 1 if a check fails.`,
  operands: { name: 'URL', least: 1, most: 1 },
  flags: {
    secret: option('whsec_...', "The receiver's signing secret; needed without --url", anyText, {
      env: 'CONTENTGEN_WEBHOOK_SECRET',
    }),
    url: option('URL', 'Base URL of a running server, to use its signing secret', baseUrl),
    'control-token': controlTokenFlag,
    token: option('TOKEN', 'Its secret token, if it requires one', anyText),
    effects: option(
      'URL',
      'Returns how many times usage_threshold took effect, as a number; finds duplicates',
      httpUrl,
    ),
    json: toggle('Print JSON'),
  },
  examples: [
    'contentgen audit http://localhost:3000/webhooks --secret whsec_...',
    'contentgen audit http://localhost:3000/webhooks --url http://127.0.0.1:4010',
    'contentgen audit http://localhost:3000/webhooks --effects http://localhost:3000/effects',
  ],
  async run({ flags, operands }, terminal) {
    const { token, effects, json } = flags;
    const target = httpUrl(operands[0] ?? '', 'URL').href;
    const secret = flags.secret ?? (await signingSecretOf(flags));
    await probe(target);
    const { auditReceiver } = await import('../../../src/testing/index.ts');
    if (!json) terminal.err(`Auditing ${target}. This takes a few seconds.`);
    if (effects) await countEffects(effects.href);
    const report = await auditReceiver(target, {
      secret,
      ...(token ? { token } : {}),
      ...(effects ? { effects: () => countEffects(effects.href) } : {}),
    });
    terminal.out(json ? JSON.stringify(report) : String(report));
    return report.ok ? 0 : 1;
  },
});

/** The secret that the running server signs result callbacks with. */
function signingSecretOf({
  url,
  ...flags
}: Omit<ConnectionFlags, 'url'> & { readonly url: string | undefined }): Promise<string> {
  if (url === undefined) {
    throw new UsageError('--secret (or CONTENTGEN_WEBHOOK_SECRET) is missing.');
  }
  return withServer({ ...flags, url }, async ({ client }) => {
    const { secret } = await (await client()).webhooks.getSigningSecret();
    return secret;
  });
}

/** Asks the user's counter: a number as text, which is JSON too. */
async function countEffects(url: string): Promise<number> {
  const signal = AbortSignal.timeout(PROBE_MS);
  const response = await fetch(url, { signal }).catch(() => undefined);
  const text = (await response?.text())?.trim() ?? '';
  if (!response?.ok || !/^\d{1,15}$/.test(text))
    throw new CommandError(
      `Failed to read the number of effects from ${url}. Respond 200 with a whole number as text.`,
    );
  return Number(text);
}

/** Distinguishes a receiver that is down from one that responds wrongly. */
async function probe(url: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
    await response.body?.cancel();
  } catch {
    throw new CommandError(`Failed to connect to ${url}. Start the receiver first.`);
  }
}
