import type { AuditReport } from '../../../src/testing/index.ts';
import { readUpTo } from '../../api/read-body.ts';
import { type Address, addressOf } from '../address.ts';
import { defineCommand } from '../command.ts';
import { CommandError, type ConnectionFlags, controlTokenFlag, withServer } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { option, toggle } from '../flags.ts';
import { type Terminal, toJsonLine } from '../terminal.ts';
import { anyText, baseUrl, httpUrl, oneOf, UsageError } from '../values.ts';

const PROBE_MS = 5000;
const MAX_COUNT_BYTES = 64;
const SECRET_VARIABLE = 'CONTENTGEN_WEBHOOK_SECRET';

export const audit = defineCommand({
  description: `Send a receiver valid, duplicated, tampered, stale, unsigned and otherwise forged deliveries, and report how
it responds. Valid ones take effect, so audit a test deployment. With --scheme standard, audits a receiver
of any sender of Standard Webhooks. Exits with 1 if a check fails; a warning does not.`,
  operands: { name: 'URL', least: 0, most: 1 },
  flags: {
    verifier: option(
      'COMMAND',
      'In place of URL: a program that reads deliveries and writes verdicts, a line each',
      anyText,
    ),
    scheme: option(
      'NAME',
      'standard: the receiver is for any sender of Standard Webhooks',
      oneOf(['standard']),
    ),
    secret: option('whsec_...', "The receiver's signing secret; needed without --url", anyText, {
      env: SECRET_VARIABLE,
    }),
    url: option('URL', "Base URL of the API, to read the project's secret from", baseUrl, {
      env: 'CONTENTGEN_BASE_URL',
    }),
    'api-key': option('KEY', "An admin key, to read the project's secret", anyText, {
      env: 'CONTENTGEN_API_KEY',
    }),
    'control-token': controlTokenFlag,
    deployment: deploymentFlag,
    token: option('TOKEN', "The receiver's secret token, if it requires one", anyText),
    effects: option(
      'URL',
      'Returns how many times usage_threshold took effect, as a number; finds duplicates',
      httpUrl,
    ),
    'fail-next': option(
      'URL',
      'A POST to it makes the next effect fail once; with --effects, finds lost deliveries',
      httpUrl,
    ),
    json: toggle('Print JSON'),
  },
  examples: [
    'contentgen audit http://localhost:3000/webhooks --secret whsec_...',
    'contentgen audit http://localhost:3000/webhooks --secret whsec_... --scheme standard',
    'contentgen audit http://localhost:3000/webhooks --url http://127.0.0.1:4010',
    'contentgen audit http://localhost:3000/webhooks --effects http://localhost:3000/effects',
    "contentgen audit --verifier 'python3 verifier.py'",
  ],
  async run(line, terminal) {
    const { flags, operands } = line;
    const { token, effects, json, scheme, deployment, 'fail-next': failNext } = flags;
    if (flags.verifier !== undefined) return auditCommand(flags.verifier, operands, json, terminal);
    if (operands[0] === undefined) throw new UsageError('URL is missing.');
    if (scheme && deployment) throw new UsageError('Pass either --scheme or --deployment.');
    const target = httpUrl(operands[0], 'URL').href;
    const address = flags.url === undefined ? undefined : addressOf(line, flags.url);
    const secret = flags.secret ?? (await readSecret(address, flags));
    await probe(target);
    const { auditReceiver } = await import('../../../src/testing/index.ts');
    if (!json) terminal.err(`Auditing ${target}. This takes some seconds.`);
    if (effects) await countEffects(effects.href);
    const report = await auditReceiver(target, {
      secret,
      standard: scheme === 'standard',
      ...(deployment ? { deployment } : {}),
      ...(token ? { token } : {}),
      ...(effects ? { effects: () => countEffects(effects.href) } : {}),
      ...(failNext ? { failNext: () => prepareFailure(failNext.href) } : {}),
    });
    return print(report, json, terminal);
  },
});

function print(report: AuditReport, json: boolean, terminal: Terminal): number {
  terminal.out(json ? toJsonLine(report) : String(report));
  return report.ok ? 0 : 1;
}

/** Gives the deliveries of vectors/webhook-signatures.json, signed now, to a verifier in any language. */
async function auditCommand(
  command: string,
  [url]: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  if (url !== undefined) throw new UsageError('Pass either URL or --verifier.');
  const { auditVerifier } = await import('../../../src/testing/index.ts');
  const { startVerifier } = await import('../verifier-process.ts');
  const verifier = startVerifier(command);
  const report = await auditVerifier(verifier.verify);
  verifier.close();
  return print(report, json, terminal);
}

/** Reads the project's signing secret, which is the receiver's unless it uses that of a registration. */
async function readSecret(address: Address | undefined, flags: ConnectionFlags): Promise<string> {
  if (address === undefined || flags.deployment?.has('getSigningSecret') === false)
    throw new UsageError(`--secret (or ${SECRET_VARIABLE}) is missing.`);
  return withServer(address, flags, async ({ client }) => {
    return (await (await client()).webhooks.getSigningSecret()).secret;
  });
}

async function countEffects(url: string): Promise<number> {
  const { ok, text = '' } = (await ask(url, 'GET')) ?? {};
  if (!ok || !/^\d{1,15}$/.test(text))
    throw new CommandError(
      `Failed to read the number of effects from ${url}. Respond 200 with a whole number as text.`,
    );
  return Number(text);
}

async function prepareFailure(url: string): Promise<void> {
  if (!(await ask(url, 'POST'))?.ok)
    throw new CommandError(`Failed to prepare a failure at ${url}. Respond 2xx to a POST.`);
}

/** Distinguishes a receiver that is down from one that responds incorrectly. */
async function probe(url: string): Promise<void> {
  if (!(await ask(url, 'HEAD')))
    throw new CommandError(`Failed to connect to ${url}. Start the receiver first.`);
}

async function ask(
  url: string,
  method: string,
): Promise<{ readonly ok: boolean; readonly text: string } | undefined> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const response = await fetch(url, { method, redirect: 'manual', signal });
    const { bytes } = response.body
      ? await readUpTo(response.body, MAX_COUNT_BYTES)
      : { bytes: new Uint8Array() };
    return { ok: response.ok, text: new TextDecoder().decode(bytes).trim() };
  } catch {
    return undefined;
  }
}
