import { defineDeployment } from '../../../src/deployment/index.ts';
import { addressOf, DEFAULT_URL } from '../address.ts';
import { defineCommand } from '../command.ts';
import { deploymentFlag, deploymentText, readSaved, writeOutput } from '../deployment-flag.ts';
import { type Finding, ok as okay, printFinding, skipped } from '../doctor/finding.ts';
import {
  checkSavedRequest,
  checkSecret,
  isVerified,
  readSavedRequest,
  schemeLines,
} from '../doctor/saved-request.ts';
import { checkKey, checkServer, compareSecret } from '../doctor/service.ts';
import { option, toggle } from '../flags.ts';
import { toJsonLine } from '../terminal.ts';
import { anyText, baseUrl } from '../values.ts';

const OTHERS = 'result callbacks are signed with that of client.webhooks.getSigningSecret()';

export const doctor = defineCommand({
  description: `Check the usual causes of a failing integration: base URL, key, clock and secret. With an admin key,
compare the secret with the project's. With a saved request, explain why its signature fails, and find how
it was signed. Exits with 1 if a check fails.`,
  flags: {
    url: option('URL', 'Base URL', baseUrl, {
      env: 'CONTENTGEN_BASE_URL',
      shownDefault: DEFAULT_URL,
    }),
    'api-key': option('KEY', 'The API key', anyText, { env: 'CONTENTGEN_API_KEY' }),
    secret: option('SECRET', 'The signing secret', anyText, { env: 'CONTENTGEN_WEBHOOK_SECRET' }),
    deployment: deploymentFlag,
    save: option('FILE', 'Add how the delivery was signed to a deployment.json', anyText),
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
  async run(line, terminal) {
    const { flags } = line;
    const { secret, json, save, 'api-key': apiKey } = flags;
    const saved = await readSavedRequest(flags.headers, flags.body);
    const file = readSaved(save);
    const own = flags.deployment ?? file;
    const findings: Finding[] = [];
    const report = (...found: readonly Finding[]): boolean => {
      findings.push(...found);
      if (!json) for (const finding of found) printFinding(finding, terminal);
      return found.every(({ verdict }) => verdict === 'ok');
    };
    // A saved request can be explained without a server.
    const isOffline = saved !== undefined && flags.url === undefined;
    const address = addressOf({ ...line, flags: { deployment: own } }, flags.url);
    const base = isOffline ? undefined : address.url;
    let compared: Finding | undefined;
    const lines =
      saved && secret ? await schemeLines(saved, secret).catch(() => undefined) : undefined;
    const deployment = lines ? defineDeployment({ ...own?.json, ...lines }) : own;
    const form = checkSecret(secret, deployment);
    const usable = form.verdict === 'ok' ? secret : undefined;
    const [server, clock] = base === undefined ? [] : await checkServer(base, own);
    if (base !== undefined && server && report(server)) {
      if (clock) report(clock);
      const isAccepted = report(await checkKey(base, apiKey, own));
      if (isAccepted && apiKey && usable) compared = await compareSecret(base, apiKey, usable, own);
    }
    const checked = saved ? await checkSavedRequest(saved, usable, deployment) : [];
    if (compared?.verdict === 'wrong' && isVerified(checked)) {
      compared = okay(
        'secret',
        `It signed the saved delivery, but is not the project's: ${OTHERS}`,
      );
    }
    report(compared ?? form, ...checked);
    if (lines) {
      const text = deploymentText({ ...own?.json, ...lines });
      if (save !== undefined) writeOutput(save, text, file !== undefined);
      const differs = 'It is signed in another way than the contract says';
      report(
        save === undefined
          ? skipped(
              'deployment',
              `${differs}. Save this as deployment.json, or pass --save FILE:\n${text}`,
            )
          : okay('deployment', `${differs}; ${save} says how`),
      );
    }
    const ok = findings.every(({ verdict }) => verdict !== 'wrong');
    if (json) terminal.out(toJsonLine({ ok, findings, deployment: lines ?? {} }));
    return ok ? 0 : 1;
  },
});
