import { readFile } from 'node:fs/promises';
import { defineDeployment } from '../../../src/deployment/index.ts';
import type { Deployment, DeploymentJson } from '../../domain/deployment.ts';
import { defineCommand } from '../command.ts';
import { deploymentText, findScheme, writeOutput } from '../conformance.ts';
import { controlTokenFlag, DEFAULT_URL } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import {
  type Credential,
  checkClock,
  checkControlToken,
  checkKey,
  checkReachable,
  clausesFor,
  compareSecret,
} from '../doctor/deployment.ts';
import { type Finding, ok as okay, printFinding, skipped } from '../doctor/finding.ts';
import {
  checkSavedRequest,
  checkSecret,
  parseHeaders,
  type SavedRequest,
} from '../doctor/signature.ts';
import { option, toggle } from '../flags.ts';
import { anyText, baseUrl, UsageError } from '../values.ts';

type Report = (finding: Finding) => boolean;

export const doctor = defineCommand({
  description: `Check the usual causes of a failing integration: base URL, key, clock and secret. With an admin key or the
control token of a contentgen mock, compare the secret with the project's. With a saved request, explain
why its signature fails. Exits with 1 if a check fails.`,
  flags: {
    url: option('URL', 'Base URL', baseUrl, {
      env: 'CONTENTGEN_BASE_URL',
      shownDefault: DEFAULT_URL,
    }),
    'api-key': option('KEY', 'The API key', anyText, { env: 'CONTENTGEN_API_KEY' }),
    secret: option('whsec_...', 'The signing secret', anyText, {
      env: 'CONTENTGEN_WEBHOOK_SECRET',
    }),
    'control-token': controlTokenFlag,
    deployment: deploymentFlag,
    save: option('FILE', 'Write what the service does differently as a deployment.json', anyText),
    headers: option(
      'FILE',
      "Headers of a saved delivery: lines 'name: value', or a JSON object",
      anyText,
    ),
    body: option('FILE', 'The body of that delivery, byte for byte', anyText),
    json: toggle('Print JSON'),
  },
  examples: [
    'contentgen doctor --url https://api.example.com --api-key cg_live_...',
    'contentgen doctor --secret whsec_... --headers request.headers --body request.body',
  ],
  async run({ flags }, terminal) {
    const { url, secret, json } = flags;
    const saved = await readSavedRequest(flags);
    const findings: Finding[] = [];
    const report: Report = (finding) => {
      findings.push(finding);
      if (!json) printFinding(finding, terminal);
      return finding.verdict === 'ok';
    };
    // A saved request can be explained without a server.
    const own = flags.deployment;
    const base = saved ? url : (url ?? own?.json.baseUrl ?? DEFAULT_URL);
    const clauses = base === undefined ? undefined : clausesFor(base, flags['api-key'], own);
    const credential =
      base && clauses ? await checkDeployment(base, clauses, flags, report) : undefined;
    const found = (flags['api-key'] && credential && !own && (await clauses?.deployment())) || {};
    const signed =
      saved && secret && !own
        ? await findScheme({
            headers: parseHeaders(saved.headers),
            body: saved.body,
            secret,
          }).catch(() => undefined)
        : undefined;
    const deployment = own ?? (signed && defineDeployment(signed));
    const form = await checkSecret(secret, deployment);
    const usable = form.verdict === 'ok' ? secret : undefined;
    const compared =
      base && credential && usable ? await compareSecret(base, credential, usable, own) : undefined;
    report(compared ?? form);
    if (saved) await checkSignature(saved, usable, report, deployment);
    const lines = isStandard(signed) ? found : { ...found, ...signed };
    if (Object.keys(lines).length > 0) proposeDeployment(lines, flags.save, report);
    const ok = findings.every(({ verdict }) => verdict !== 'wrong');
    if (json) terminal.out(JSON.stringify({ ok, findings, deployment: lines }));
    return ok ? 0 : 1;
  },
});

/** Resolves to a credential that the server accepts, if there is one. */
async function checkDeployment(
  url: string,
  clauses: ReturnType<typeof clausesFor>,
  {
    'api-key': apiKey,
    'control-token': controlToken,
  }: Readonly<Record<'api-key' | 'control-token', string | undefined>>,
  report: Report,
): Promise<Credential | undefined> {
  if (!report(await checkReachable(url, clauses))) return undefined;
  report(checkClock(clauses.date(), Date.now()));
  const accepted = report(await checkKey(apiKey, clauses));
  const control =
    controlToken === undefined ? undefined : await checkControlToken(url, controlToken);
  if (control) report(control.finding);
  if (control?.accessToken !== undefined) return { accessToken: control.accessToken };
  return accepted && apiKey ? { apiKey } : undefined;
}

const isStandard = (found: DeploymentJson | undefined) =>
  found === undefined ||
  (Object(found.scheme).type === 'standard' && found.secretEncoding === 'whsec');

/** Says which lines of a deployment.json adapt client, receiver and reference server to the service. */
function proposeDeployment(lines: DeploymentJson, file: string | undefined, report: Report): void {
  const text = deploymentText(lines);
  const advice = 'It differs from the contract. Save this as deployment.json, or pass --save FILE:';
  if (file !== undefined) writeOutput(file, `${text}\n`);
  report(
    file === undefined
      ? skipped('deployment', `${advice}\n${text}`)
      : okay('deployment', `It differs from the contract; ${file} says how`),
  );
}

async function checkSignature(
  saved: SavedRequest,
  secret: string | undefined,
  report: Report,
  deployment: Deployment | undefined,
): Promise<void> {
  if (secret === undefined) {
    report(skipped('signature', 'It cannot be checked without a valid secret.'));
    return;
  }
  for (const finding of await checkSavedRequest(saved, secret, Date.now(), deployment))
    report(finding);
}

async function readSavedRequest(files: {
  readonly headers: string | undefined;
  readonly body: string | undefined;
}): Promise<SavedRequest | undefined> {
  const { headers, body } = files;
  if (headers === undefined && body === undefined) return undefined;
  if (headers === undefined || body === undefined) {
    throw new UsageError('--headers and --body must be given together.');
  }
  try {
    return { headers: await readFile(headers, 'utf8'), body: await readFile(body) };
  } catch (error) {
    throw new UsageError(`Failed to read the saved request: ${(error as Error).message}.`);
  }
}
