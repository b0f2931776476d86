import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConformanceLine,
  type ConformanceProof,
  type ConformanceReceiver,
  type ConformanceReport,
  createConformanceReceiver,
  runConformance,
} from '../../../src/testing/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { addressOf, printAddress } from '../address.ts';
import { defineCommand } from '../command.ts';
import {
  deployment,
  deploymentFlag,
  deploymentText,
  readSaved,
  writeOutput,
} from '../deployment-flag.ts';
import { option, optionOr, requiredOption, toggle } from '../flags.ts';
import { stopSignal, type Terminal, toJsonLine } from '../terminal.ts';
import { anyText, baseUrl, httpUrl, integer, UsageError } from '../values.ts';

const LISTEN = 4011;
const RUN_LATER = 3;

export const conform = defineCommand({
  description: `Find how a service differs from the contract, write it into a deployment.json, and prove that file with one
call and, with --receiver-url, one callback. Each line is printed with what shows it. Without --allow-writes
it makes nothing but generations. Exits with 1 if the proof fails or the service cannot be examined; with
--check, if a line of the file has changed; with ${RUN_LATER} if the service asks to wait longer than --timeout.`,
  flags: {
    'base-url': requiredOption('URL', 'Base URL of the service', baseUrl, {
      env: 'CONTENTGEN_BASE_URL',
    }),
    'api-key': requiredOption('KEY', "A key; an administrator's for keys and webhooks", anyText, {
      env: 'CONTENTGEN_API_KEY',
    }),
    secret: option('SECRET', 'Secret or token of callbacks', anyText, {
      env: 'CONTENTGEN_WEBHOOK_SECRET',
      shownDefault: 'from the service',
    }),
    'receiver-url': option(
      'URL',
      'A URL that the service can reach and that leads to --listen',
      httpUrl,
    ),
    listen: option('PORT', 'Where this command receives callbacks', integer(0, 65_535), {
      shownDefault: `${LISTEN}`,
    }),
    'allow-writes': toggle(
      'Also create API keys, which are revoked, and a registration, which is removed',
    ),
    timeout: optionOr('60', 'S', 'Seconds for a generation, and for a wait', integer(1, 3600)),
    spend: optionOr('2000', 'N', 'Tokens that generations can use; 0 for none', integer(0, 1e9)),
    deployment: deploymentFlag,
    save: option('FILE', 'Write the deployment.json; lines of an existing one are kept', anyText),
    check: option('FILE', 'Compare the service with the lines of such a file', deployment),
    json: toggle('Print JSON'),
  },
  examples: [
    'contentgen conform --env-file .env --save deployment.json',
    'contentgen conform --env-file .env --check deployment.json',
    'contentgen conform --env-file .env --receiver-url http://127.0.0.1:4011 --allow-writes',
  ],
  async run(line, terminal) {
    const { flags } = line;
    const address = addressOf(line, flags['base-url'], 'base-url');
    printAddress(address, terminal);
    const { secret, spend, json, save, check, timeout } = flags;
    const saved = readSaved(save);
    const known = { ...saved?.json, ...flags.deployment?.json, ...check?.json };
    const stopped = new AbortController();
    void stopSignal().then(() => stopped.abort());
    const listener = await listen(flags, terminal);
    let left: readonly string[] = [];
    const printLeft = () => {
      for (const what of left) terminal.err(`Left behind: ${what}`);
    };
    // Also at a second Ctrl-C, and when the process crashes.
    process.once('exit', printLeft);
    let report: ConformanceReport;
    try {
      report = await runConformance({
        baseUrl: address.url,
        apiKey: flags['api-key'],
        allowWrites: flags['allow-writes'],
        spend,
        timeoutMs: timeout * 1000,
        deployment: known,
        ...(secret !== undefined && { secret }),
        ...(listener && { receiver: listener.receiver }),
        signal: stopped.signal,
        onLeft: (all) => {
          left = all;
        },
      });
    } finally {
      listener?.close();
      process.off('exit', printLeft);
      printLeft();
    }
    if (stopped.signal.aborted) return 130;
    const isExamined = report.problem === undefined || report.lines.length > 0;
    const isWritten = save !== undefined && isExamined && report.retryAfter === undefined;
    if (isWritten) {
      const file = deploymentText(report.deployment);
      try {
        writeOutput(save, file, saved !== undefined);
      } catch (error) {
        // Nobody wants to make all those calls again.
        terminal.out(file);
        throw error;
      }
    }
    if (json) terminal.out(toJsonLine(report));
    else
      print(report, { save: isWritten ? save : undefined, isCheck: check !== undefined }, terminal);
    if (report.retryAfter !== undefined) return RUN_LATER;
    const isChanged = check !== undefined && report.lines.some(({ confirm }) => !confirm);
    const isUnproven = report.proof.some(({ ok }) => ok === false);
    return report.problem !== undefined || isChanged || isUnproven ? 1 : 0;
  },
});

async function listen(
  flags: { readonly 'receiver-url': URL | undefined; readonly listen: number | undefined },
  { err }: Terminal,
): Promise<{ readonly receiver: ConformanceReceiver; close(): void } | undefined> {
  const url = flags['receiver-url'];
  if (!url) return undefined;
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const port = flags.listen ?? (isLocal && url.port ? Number(url.port) : LISTEN);
  const receiver = createConformanceReceiver(url.href);
  const server = createServer(toNodeHandler(receiver.handle));
  server.listen(port, isLocal ? '127.0.0.1' : '0.0.0.0');
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`Failed to listen on port ${port} (${code}). Pass --listen.`);
  });
  err(`Receiving callbacks on port ${(server.address() as AddressInfo).port}, as ${url.href}.`);
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(5000),
  }).catch(() => undefined);
  if (response?.status !== 204)
    err(`${url.href} does not seem to lead to this port: callbacks might not arrive.`);
  return {
    receiver,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function print(
  { deployment, lines, proof, problem, spent }: ConformanceReport,
  { save, isCheck }: { save: string | undefined; isCheck: boolean },
  { out, paint }: Terminal,
): void {
  const sure = lines.filter(({ confirm }) => !confirm);
  for (const line of sure)
    out(`${isCheck ? paint('yellow', 'Changed: ') : ''}${describeLine(line, isCheck)}`);
  for (const line of lines.filter(({ confirm }) => confirm))
    out(paint('yellow', `Please confirm, it is not written: ${describeLine(line, false)}`));
  for (const one of proof) out(describeProof(one));
  if (problem !== undefined) out(paint('red', problem));
  const known = isCheck ? 'the file' : 'what was known';
  const differ =
    sure.length > 0
      ? `${sure.length} ${sure.length === 1 ? 'line differs' : 'lines differ'} from ${known}. `
      : problem === undefined && `Nothing differs from ${known}. `;
  out(`${differ || ''}${spent.requests} requests, about ${spent.tokens} tokens.`);
  if (save !== undefined) out(`Written: ${save}`);
  else if (!isCheck && sure.length > 0)
    out(`Save this as deployment.json, or pass --save FILE:\n${deploymentText(deployment)}`);
}

const text = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));

function describeLine({ line, value, was, evidence }: ConformanceLine, isCheck: boolean): string {
  const [, operation] = /^absent\.(.+)/.exec(line) ?? [];
  const said = operation
    ? `${operation} ${value ? 'is absent' : 'exists'}`
    : `${line}: ${isCheck ? `was ${text(was)}, is ${text(value)}` : text(value)}`;
  return `${said}\n    ${evidence}`;
}

function describeProof({ what, ok, detail }: ConformanceProof): string {
  const verdict = ok === undefined ? 'Not tried' : ok ? 'Worked' : 'FAILED';
  return `${verdict}: ${what} – ${detail}`;
}
