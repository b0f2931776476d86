import type { AuditReport } from '../../../src/testing/index.ts';
import type { Deployment } from '../../domain/deployment.ts';
import { type Address, addressOf } from '../address.ts';
import { defineCommand } from '../command.ts';
import { CommandError, controlTokenFlag, withServer } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { type Finding, ok, printFinding, skipped } from '../doctor/finding.ts';
import { adminCredential, compareSecret } from '../doctor/service.ts';
import { option, toggle } from '../flags.ts';
import type { Source } from '../parse-command-line.ts';
import { type Terminal, toJsonLine } from '../terminal.ts';
import { anyText, baseUrl, httpUrl, UsageError } from '../values.ts';

const PROBE_MS = 5000;
const SECRET_VARIABLE = 'CONTENTGEN_WEBHOOK_SECRET';
const CHECK = 'secret';

export const audit = defineCommand({
  description: `Send a receiver valid, duplicated, tampered, stale, unsigned and otherwise forged deliveries, and report how
it responds. Valid ones take effect, so audit a test deployment. Given the API's URL and an admin key, the
secret is first compared with the project's. Exits with 1 if a check fails; a warning does not.`,
  operands: { name: 'URL', least: 0, most: 1 },
  flags: {
    verifier: option(
      'COMMAND',
      'In place of URL: a program that reads deliveries and writes verdicts, a line each',
      anyText,
    ),
    secret: option('whsec_...', "The receiver's signing secret; needed without --url", anyText, {
      env: SECRET_VARIABLE,
    }),
    registration: toggle(
      "The --secret belongs to a registration, so do not compare it with the project's",
    ),
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
    'contentgen audit http://localhost:3000/webhooks --url http://127.0.0.1:4010',
    'contentgen audit http://localhost:3000/webhooks --effects http://localhost:3000/effects',
    "contentgen audit --verifier 'python3 verifier.py'",
  ],
  async run(line, terminal) {
    const { flags, operands, sources } = line;
    const { token, effects, json, 'fail-next': failNext } = flags;
    if (flags.verifier !== undefined) return auditCommand(flags.verifier, operands, json, terminal);
    if (operands[0] === undefined) throw new UsageError('URL is missing.');
    const target = httpUrl(operands[0], 'URL').href;
    const address = flags.url === undefined ? undefined : addressOf(line, flags.url);
    const { secret, finding } = await chooseSecret(flags, sources.secret, address);
    await probe(target);
    const { auditReceiver } = await import('../../../src/testing/index.ts');
    if (!json) {
      printFinding(finding, { ...terminal, out: terminal.err, paint: terminal.paintErr });
      terminal.err(`Auditing ${target}. This takes some seconds.`);
    }
    if (effects) await countEffects(effects.href);
    const report = await auditReceiver(target, {
      secret,
      ...(flags.deployment ? { deployment: flags.deployment } : {}),
      ...(token ? { token } : {}),
      ...(effects ? { effects: () => countEffects(effects.href) } : {}),
      ...(failNext ? { failNext: () => prepareFailure(failNext.href) } : {}),
    });
    const isRight = finding.verdict !== 'wrong';
    const passed = report.ok && isRight;
    if (json) terminal.out(toJsonLine({ ...report, ok: passed, secret: finding }));
    else terminal.out(withAdvice(report, finding));
    return passed ? 0 : 1;
  },
});

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
  terminal.out(json ? toJsonLine(report) : String(report));
  return report.ok ? 0 : 1;
}

/** Adds what the report means, given the comparison of the secret. */
function withAdvice(report: AuditReport, { verdict }: Finding): string {
  if (verdict === 'wrong') {
    const advice = report.problem
      ? 'Audit it again with the right secret.'
      : 'The receiver has the same wrong secret, so it rejects every result callback of the service.';
    return `${report}\n${advice}`;
  }
  const isMismatch = verdict === 'ok' && report.problem?.includes('is the secret right?');
  return isMismatch
    ? `${report}\nThe deliveries were signed with the project's secret, so the receiver has another one.`
    : String(report);
}

interface Chosen {
  readonly secret: string;
  /** Where the secret came from, and whether it is the project's. */
  readonly finding: Finding;
}

interface SecretFlags {
  readonly secret: string | undefined;
  readonly registration: boolean;
  readonly url: string | undefined;
  readonly 'api-key': string | undefined;
  readonly 'control-token': string | undefined;
  readonly deployment: Deployment | undefined;
}

/** Returns the given secret, compared with the project's if that can be read; or else the project's secret. */
async function chooseSecret(
  flags: SecretFlags,
  source: Source | undefined,
  address: Address | undefined,
): Promise<Chosen> {
  const { secret, registration } = flags;
  if (secret === undefined) {
    const isAbsent = flags.deployment?.has('getSigningSecret') === false;
    if (address === undefined || registration || isAbsent) {
      throw new UsageError(`--secret (or ${SECRET_VARIABLE}) is missing.`);
    }
    const own = await withServer(address, flags, async ({ client }) => {
      return (await (await client()).webhooks.getSigningSecret()).secret;
    });
    return {
      secret: own,
      finding: ok(CHECK, `Read from ${address.url}: the project's signing secret.`),
    };
  }
  const variable = `${SECRET_VARIABLE} in ${source === 'env-file' ? '--env-file' : 'the environment'}`;
  const from = `From ${source === 'option' ? '--secret' : variable}.`;
  const { verdict, detail } = await compare(secret, flags);
  return { secret, finding: { check: CHECK, verdict, detail: `${from} ${detail}` } };
}

async function compare(secret: string, flags: SecretFlags): Promise<Finding> {
  const { registration, url } = flags;
  if (registration) return skipped(CHECK, 'Not compared: it belongs to a registration.');
  if (url === undefined) {
    return skipped(CHECK, "Not compared with the project's: pass --url and an admin key to do so.");
  }
  const credential = await adminCredential(url, flags);
  const compared = credential && (await compareSecret(url, credential, secret, flags.deployment));
  if (!compared) {
    return skipped(
      CHECK,
      `Not compared: ${url} did not return the project's secret. Pass an admin key.`,
    );
  }
  if (compared.verdict === 'ok') return compared;
  const own = 'If it belongs to a registration, add --registration.';
  return { ...compared, detail: `It is not the signing secret of the project at ${url}. ${own}` };
}

/** Asks the user's counter, which responds with a number as text or JSON. */
async function countEffects(url: string): Promise<number> {
  const signal = AbortSignal.timeout(PROBE_MS);
  const response = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
  const text = (await response?.text())?.trim() ?? '';
  if (!response?.ok || !/^\d{1,15}$/.test(text))
    throw new CommandError(
      `Failed to read the number of effects from ${url}. Respond 200 with a whole number as text.`,
    );
  return Number(text);
}

async function prepareFailure(url: string): Promise<void> {
  const signal = AbortSignal.timeout(PROBE_MS);
  const response = await fetch(url, { method: 'POST', redirect: 'manual', signal }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  if (!response?.ok)
    throw new CommandError(`Failed to prepare a failure at ${url}. Respond 2xx to a POST.`);
}

/** Distinguishes a receiver that is down from one that responds incorrectly. */
async function probe(url: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
    await response.body?.cancel();
  } catch {
    throw new CommandError(`Failed to connect to ${url}. Start the receiver first.`);
  }
}
