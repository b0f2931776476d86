import { readFile } from 'node:fs/promises';
import { type Deployment, defineDeployment } from '../../../src/deployment/index.ts';
import { findScheme, sentAt } from '../../../src/testing/find-scheme.ts';
import { createWebhookHandler, verifyWebhook } from '../../../src/webhooks/index.ts';
import { UsageError } from '../values.ts';
import { defaultToleranceS, type Finding, ok, skipped, wrong } from './finding.ts';

export interface SavedRequest {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Reads a delivery from files: headers as lines `name: value` or a JSON object, and the body byte for byte. */
export async function readSavedRequest(
  headers: string | undefined,
  body: string | undefined,
): Promise<SavedRequest | undefined> {
  if (headers === undefined && body === undefined) return undefined;
  if (headers === undefined || body === undefined)
    throw new UsageError('--headers and --body must be given together.');
  try {
    const text = await readFile(headers, 'utf8');
    return { headers: parseHeaders(text), body: new Uint8Array(await readFile(body)) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code
        ? `Failed to read the saved request: ${message}.`
        : "The headers file is not valid. Use lines 'name: value' or a JSON object.",
    );
  }
}

function parseHeaders(text: string): [string, string][] {
  if (text.trimStart().startsWith('{')) {
    const object = JSON.parse(text) as Record<string, string | string[]>;
    return Object.entries(object).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name.toLowerCase(), one]),
    );
  }
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    // A request line, or the prefix that curl writes.
    if (colon < 1 || /\s/.test(name)) return [];
    return [[name.toLowerCase(), line.slice(colon + 1).trim()]];
  });
}

export function checkSecret(secret: string | undefined, deployment?: Deployment): Finding {
  const check = 'secret';
  if (!secret)
    return skipped(check, 'No secret was given (--secret or CONTENTGEN_WEBHOOK_SECRET).');
  const isToken = deployment?.json.scheme?.type === 'token';
  try {
    createWebhookHandler({
      ...(isToken ? { token: secret } : { secret }),
      ...(deployment && { deployment }),
    });
    return ok(check, 'Its format is valid');
  } catch (error) {
    return wrong(check, (error as Error).message);
  }
}

/** How a delivery was signed, as lines of a deployment; `undefined` if it is as the contract says, or not explained. */
export async function schemeLines(
  saved: SavedRequest,
  secret: string,
): Promise<object | undefined> {
  const found = await findScheme(saved, secret);
  const isStandard = found?.scheme['type'] === 'standard' && found.secretEncoding === undefined;
  return isStandard ? undefined : found;
}

/** Whether the findings of a saved request say that its signature is valid. */
export const isVerified = (findings: readonly Finding[]): boolean =>
  findings.some(({ check, verdict }) => check === 'signature' && verdict === 'ok');

/** Verifies a saved request and explains a failure. Its age is reported apart: it is always old. */
export async function checkSavedRequest(
  { headers, body }: SavedRequest,
  secret: string | undefined,
  deployment: Deployment = defineDeployment({}),
): Promise<Finding[]> {
  const check = 'signature';
  if (secret === undefined) return [skipped(check, 'It cannot be checked without a valid secret.')];
  const at = sentAt(headers);
  const why: string[] = [];
  const note = (message: unknown) => void why.push(String(message));
  const isToken = deployment.json.scheme?.type === 'token';
  try {
    const event = await verifyWebhook({
      ...{ headers: headers.map(([name, value]): [string, string] => [name, value]), body },
      ...(isToken ? { token: secret } : { secret }),
      deployment,
      logger: { warn: note, error: note, diagnose: true },
      now: () => at ?? Date.now(),
    });
    return [ageOf(at), ok(check, `Valid: ${event.type} ${event.id}`)];
  } catch (error) {
    const { code, hint = '' } = error as { code?: string; hint?: string };
    return [ageOf(at), wrong(check, `${code}. ${(why.length > 0 ? why : [hint]).join(' ')}`)];
  }
}

function ageOf(at: number | undefined): Finding {
  const check = 'timestamp';
  if (at === undefined) return skipped(check, 'No header of the delivery is a time.');
  const age = Math.round((Date.now() - at) / 1000);
  const detail = `Sent ${new Date(at).toISOString()}, ${Math.abs(age)} s ${age < 0 ? 'from now' : 'ago'}`;
  const isOld = Math.abs(age) > defaultToleranceS;
  return ok(
    check,
    isOld ? `${detail}; a receiver would reject it now (over ${defaultToleranceS} s)` : detail,
  );
}
