import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConformanceReceiver,
  type ConformanceReport,
  type ConformanceVerdict,
  createConformanceReceiver,
  runConformance,
} from '../../../src/testing/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { defineCommand } from '../command.ts';
import { counts, describeResult, toJunit, toMarkdown } from '../conform-report.ts';
import { budget, deploymentText, writeOutput } from '../conformance.ts';
import { deployment, deploymentFlag } from '../deployment-flag.ts';
import { option, optionOr, requiredOption, toggle } from '../flags.ts';
import { stopSignal, type Terminal } from '../terminal.ts';
import { anyText, baseUrl, httpUrl, integer, UsageError } from '../values.ts';

const LISTEN = 4011;
const colors: Partial<Record<ConformanceVerdict, 'green' | 'red' | 'yellow'>> = {
  passed: 'green',
  failed: 'red',
  harness_error: 'red',
  differs: 'yellow',
};

export const conform = defineCommand({
  description: `Judge a service by the rules of its specification and of our contract, and find the deployment.json that
adapts the client, the receiver and the reference server to it. It sends at most ${budget} requests, uses at
most 1000 tokens and takes about 20 seconds; with --allow-writes it sends 2 more, which remove what it
made. Exits with 1 if a rule that the specification gives is broken; with --check, if a verdict is not
the one in the file.`,
  flags: {
    'base-url': requiredOption('URL', 'Base URL of the service', baseUrl, {
      env: 'CONTENTGEN_BASE_URL',
    }),
    'api-key': requiredOption('KEY', "A key; an administrator's for keys and webhooks", anyText, {
      env: 'CONTENTGEN_API_KEY',
    }),
    secret: option('SECRET', 'Signing secret of callbacks', anyText, {
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
    'allow-writes': toggle('Also create an API key and a registration, and remove them'),
    spend: optionOr('1000', 'N', 'Tokens that generations can use; 0 for none', integer(0, 1e9)),
    deployment: deploymentFlag,
    save: option('FILE', 'Write the deployment.json, with the verdicts', anyText),
    check: option('FILE', 'Compare the verdicts with those in such a file', deployment),
    json: toggle('Print JSON'),
    junit: option('FILE', 'Also write the result as JUnit XML', anyText),
    markdown: option('FILE', 'Also write it as a Markdown table', anyText),
  },
  examples: [
    'contentgen conform --base-url https://api.example.com --save deployment.json',
    'contentgen conform --base-url https://api.example.com --check deployment.json',
    'contentgen conform --base-url http://127.0.0.1:4010 --receiver-url http://127.0.0.1:4011 --allow-writes',
  ],
  async run({ flags }, terminal) {
    const { secret, spend, json, save, check, 'allow-writes': allowWrites } = flags;
    const saved = check?.json.conformance?.verdicts;
    if (check && !saved) {
      throw new UsageError('The file of --check has no verdicts. Write it with --save.');
    }
    const known = flags.deployment ?? check;
    const stopped = new AbortController();
    void stopSignal().then(() => stopped.abort());
    const tokens = spend === 0 ? 'no generation' : `at most ${spend} tokens`;
    const writes = allowWrites ? 'and 2 removals of what it writes' : 'no writes';
    terminal.err(`At most ${budget} requests, ${tokens}, about 20 s, ${writes}.`);
    const listener = await listen(flags, terminal);
    let left: readonly string[] = [];
    const printLeft = () => {
      for (const what of left) terminal.err(`Left behind: ${what}`);
    };
    // Also at a second Ctrl-C, and when the process crashes.
    process.once('exit', printLeft);
    let report: ConformanceReport;
    try {
      report = await runConformance(
        {
          url: flags['base-url'],
          apiKey: flags['api-key'],
          allowWrites,
          spend,
          ...(secret !== undefined && { secret }),
          ...(known && { deployment: known }),
          ...(listener && { receiver: listener.receiver }),
          signal: stopped.signal,
          onLeft: (all) => {
            left = all;
          },
        },
        (result) => {
          if (json) return;
          const color = colors[result.verdict];
          const text = describeResult(result);
          terminal.out(color ? terminal.paint(color, text) : text);
        },
      );
    } finally {
      listener?.close();
      process.off('exit', printLeft);
      printLeft();
    }
    if (stopped.signal.aborted) return 130;
    const changed = saved ? changes(saved, report) : [];
    if (save) writeOutput(save, `${deploymentText(report.deployment)}\n`);
    if (flags.junit) writeOutput(flags.junit, toJunit(report));
    if (flags.markdown) writeOutput(flags.markdown, toMarkdown(report));
    if (json) terminal.out(JSON.stringify({ ...report, ...(saved && { changed }) }));
    else summarize(report, { save, changed }, terminal);
    return (saved ? changed.length === 0 : report.ok) ? 0 : 1;
  },
});

/** Serves the receiver, and looks whether its public address leads to it. */
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
  const probe = new URL(url);
  probe.searchParams.set('conform', 'probe');
  const response = await fetch(probe, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  if (response?.status !== 204) {
    err(`${url.href} does not seem to lead to this port: callbacks might be reported as missing.`);
  }
  return {
    receiver,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The clauses of the file whose verdict is another one now. */
function changes(
  saved: Readonly<Record<string, string>>,
  { results }: ConformanceReport,
): readonly { readonly id: string; readonly was: string; readonly is: string }[] {
  return Object.entries(saved).flatMap(([id, was]) => {
    const is = results.find((one) => one.id === id)?.verdict ?? 'no such clause';
    return is === was ? [] : [{ id, was, is }];
  });
}

function summarize(
  report: ConformanceReport,
  { save, changed }: { save: string | undefined; changed: ReturnType<typeof changes> },
  { out }: Terminal,
): void {
  const { conformance: _, ...lines } = report.deployment;
  const { requests, tokens } = report.spent;
  out(`\n${counts(report)}. ${requests} requests, ${tokens} tokens.`);
  for (const { id, was, is } of changed) out(`Changed: ${id} was ${was}, and is ${is}.`);
  if (save) out(`${save} adapts the client, the receiver and the reference server.`);
  else if (Object.keys(lines).length > 0) {
    out(`Save this as deployment.json, or pass --save FILE:\n${deploymentText(lines)}`);
  }
}
