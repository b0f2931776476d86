import {
  createWebhookHandler,
  isWebhookVerificationError,
  verifyWebhook,
  WebhookConfigurationError,
} from '../../../src/webhooks/index.ts';
import type { Deployment } from '../../domain/deployment.ts';
import { sentAt } from '../conformance.ts';
import { defaultToleranceS, type Finding, ok, skipped, wrong } from './finding.ts';

export interface SavedRequest {
  /** Lines `name: value`, or a JSON object. */
  readonly headers: string;
  readonly body: Uint8Array;
}

/** Checks the secret's format. */
export async function checkSecret(
  secret: string | undefined,
  deployment?: Deployment,
): Promise<Finding> {
  const check = 'secret';
  if (!secret)
    return skipped(check, 'No secret was given (--secret or CONTENTGEN_WEBHOOK_SECRET).');
  try {
    createWebhookHandler({ secret, ...(deployment && { deployment }) });
    return ok(check, 'Its format is valid');
  } catch (error) {
    const reason =
      error instanceof WebhookConfigurationError ? error.message : 'Signing with it failed.';
    return wrong(check, reason);
  }
}

export function parseHeaders(text: string): [string, string][] {
  if (text.trimStart().startsWith('{')) {
    const object = JSON.parse(text) as Record<string, string | string[]>;
    return Object.entries(object).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
  }
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    // A request line, or the prefix that curl writes.
    if (colon < 1 || /\s/.test(name)) return [];
    return [[name, line.slice(colon + 1).trim()]];
  });
}

/** A saved request is always old, so its age is reported separately and its signature is checked as if it had just arrived. */
function ageOf(
  headers: readonly [string, string][],
  now: number,
  deployment?: Deployment,
): { at?: number; finding: Finding } {
  const check = 'timestamp';
  const time = sentAt(headers, deployment?.json);
  if (time === null) return { finding: skipped(check, 'This deployment sends no time.') };
  if (time === undefined || Number.isNaN(time)) {
    const detail = 'The webhook-timestamp header is missing or not Unix seconds.';
    return { finding: wrong(check, detail) };
  }
  const at = time * 1000;
  const age = Math.round((now - at) / 1000);
  const detail = `Sent ${new Date(at).toISOString()}, ${Math.abs(age)} s ${age < 0 ? 'from now' : 'ago'}`;
  const old =
    Math.abs(age) > defaultToleranceS
      ? `; a receiver would reject it now (over ${defaultToleranceS} s)`
      : '';
  return { at, finding: ok(check, detail + old) };
}

/** Verifies a saved request and explains a failure. */
export async function checkSavedRequest(
  { headers: text, body }: SavedRequest,
  secret: string,
  now: number,
  deployment?: Deployment,
): Promise<Finding[]> {
  const check = 'signature';
  let headers: [string, string][];
  try {
    headers = parseHeaders(text);
  } catch {
    return [
      wrong(check, "The headers file is not valid. Use lines 'name: value' or a JSON object."),
    ];
  }
  const { at, finding } = ageOf(headers, now, deployment);
  const diagnoses: string[] = [];
  const logger = {
    debug: () => {},
    info: () => {},
    warn: (message: unknown) => diagnoses.push(String(message)),
    error: (message: unknown) => diagnoses.push(String(message)),
    diagnose: true,
  };
  try {
    const event = await verifyWebhook({
      headers,
      body,
      secret,
      ...(deployment && { deployment }),
      logger,
      now: () => at ?? now,
    });
    return [finding, ok(check, `Valid: ${event.type} ${event.id}`)];
  } catch (error) {
    if (!isWebhookVerificationError(error)) throw error;
    const why = diagnoses.length > 0 ? diagnoses : [error.hint];
    return [finding, wrong(check, `${error.code}. ${why.join(' ')}`)];
  }
}
