import { ContentGen } from '../../../src/index.ts';
import {
  type ConformanceClause,
  type ConformanceError,
  conformanceClauses,
} from '../../../src/testing/index.ts';
import { PROBE_ID } from '../../control/logs/filter.ts';
import { connectMock, MockControlError } from '../../control-api/client/connect-mock.ts';
import type { Deployment, DeploymentJson } from '../../domain/deployment.ts';
import { defaultToleranceS, type Finding, ok, skipped, wrong } from './finding.ts';

const PROBE_MS = 5000;
const SKEW_WORTH_FIXING_S = 60;

/** The first six clauses of `contentgen conform`: without writes and generations, they only read. */
export function clausesFor(url: string, apiKey: string | undefined, deployment?: Deployment) {
  const clauses = conformanceClauses({
    url,
    apiKey: apiKey || 'none',
    spend: 0,
    timeoutMs: PROBE_MS,
    ...(deployment && { deployment }),
    fetch(request) {
      request.headers.set('x-request-id', PROBE_ID);
      return fetch(request);
    },
  });
  const finding = ({ run }: ConformanceClause) =>
    run().catch((error) => (error as ConformanceError).finding);
  const [missing, accepted, ...others] = clauses.slice(0, 6) as [
    ...[ConformanceClause, ConformanceClause],
    ...ConformanceClause[],
  ];
  return {
    /** The server's `Date` header. */
    date: () => clauses.serverDate,
    withoutKey: () => finding(missing),
    withKey: () => finding(accepted),
    /** What the responses to an accepted key say about the deployment: its wrapper, and the operations that it lacks. */
    async deployment(): Promise<DeploymentJson> {
      for (const clause of others) await finding(clause);
      return clauses.deployment;
    },
  };
}

type Clauses = ReturnType<typeof clausesFor>;

/** Checks that the API is at this URL. */
export async function checkReachable(url: string, { withoutKey }: Clauses): Promise<Finding> {
  const check = 'server';
  const started = performance.now();
  const { verdict, seen } = await withoutKey();
  if (verdict === 'passed')
    return ok(check, `${url} responds (${Math.round(performance.now() - started)} ms)`);
  const [, cause] = /^no response \((.*)\)/.exec(seen) ?? [];
  if (cause) return wrong(check, `Failed to connect to ${url}: ${cause}.`);
  return wrong(check, `${url} responded with ${seen}. Check that this is the API's base URL.`);
}

/** Compares the clocks: past the tolerance of receivers, every signature is rejected. */
export function checkClock(date: string | null | undefined, now: number): Finding {
  const check = 'clock';
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return skipped(check, 'The response had no Date header.');
  const skew = Math.round((now - theirs) / 1000);
  const way = skew > 0 ? 'ahead of' : 'behind';
  const detail = `This machine is ${Math.abs(skew)} s ${way} the server`;
  if (Math.abs(skew) > defaultToleranceS) {
    return wrong(check, `${detail}: every signature is rejected. Synchronize the clock (NTP).`);
  }
  if (Math.abs(skew) >= SKEW_WORTH_FIXING_S)
    return wrong(check, `${detail}. Synchronize the clock (NTP).`);
  return ok(check, `Within ${Math.max(1, Math.abs(skew))} s of the server's`);
}

/** Checks the key's format, and that the gateway accepts it. */
export async function checkKey(apiKey: string | undefined, { withKey }: Clauses): Promise<Finding> {
  const check = 'key';
  if (!apiKey) return skipped(check, 'No key was given (--api-key or CONTENTGEN_API_KEY).');
  if (apiKey !== apiKey.trim())
    return wrong(check, 'The key has leading or trailing white space. Remove it.');
  if (apiKey.startsWith('whsec_')) {
    return wrong(
      check,
      'This is a webhook signing secret. A key starts with cg_live_ or cg_test_.',
    );
  }
  const { verdict, seen } = await withKey();
  if (verdict === 'passed') {
    const [status] = seen.split(' ');
    if (status === '429') return ok(check, `The gateway accepts it, but responds with ${seen}`);
    const isAbsent = ['404', '405', '501'].includes(`${status}`);
    const note = isAbsent ? '; this deployment does not report usage' : '';
    return ok(check, `The gateway accepts it${note}`);
  }
  const form = /^cg_(?:live|test)_[0-9A-Za-z]{49}$/.test(apiKey)
    ? ''
    : ' A key is cg_live_ or cg_test_ and 49 letters and digits; check that it is complete.';
  return wrong(check, `The gateway responds with ${seen}.${form}`);
}

/** Checks that the control token opens the control API. Also returns a credential that can read the signing secret. */
export async function checkControlToken(
  url: string,
  controlToken: string,
): Promise<{ readonly finding: Finding; readonly accessToken?: string }> {
  const check = 'control';
  const issued = await issueAdminToken(url, controlToken);
  if (typeof issued === 'string')
    return { finding: ok(check, 'The control API accepts the token'), accessToken: issued };
  const detail =
    issued.code === 'control_token_required'
      ? 'The control API does not accept the token. Pass the --control-token of the server.'
      : `The control API responds with ${issued.status} ${issued.code}. Only contentgen mock has one.`;
  return { finding: wrong(check, detail) };
}

/** A token from the control API of a `contentgen mock`, or why there is none. */
async function issueAdminToken(
  url: string,
  controlToken: string | undefined,
): Promise<string | MockControlError> {
  try {
    const control = connectMock(url, controlToken === undefined ? {} : { token: controlToken });
    return await control.issueToken({ role: 'admin', sub: 'usr_cli' });
  } catch (error) {
    if (error instanceof MockControlError) return error;
    throw error;
  }
}

/** An API key, or a token that the control API issued. */
export type Credential = { readonly apiKey: string } | { readonly accessToken: string };

/** Returns an admin credential: the given key, or a token from the control API of a `contentgen mock`. */
export async function adminCredential(
  url: string,
  flags: Readonly<Record<'api-key' | 'control-token', string | undefined>>,
): Promise<Credential | undefined> {
  const { 'api-key': apiKey, 'control-token': controlToken } = flags;
  if (apiKey) return { apiKey };
  const issued = await issueAdminToken(url, controlToken);
  return typeof issued === 'string' ? { accessToken: issued } : undefined;
}

/** Compares the secret with the project's; undefined if that cannot be read, which requires an admin key. */
export async function compareSecret(
  url: string,
  credential: Credential,
  secret: string,
  deployment?: Deployment,
): Promise<Finding | undefined> {
  const check = 'secret';
  if (/^wh[ps]k_/.test(secret))
    return skipped(check, 'Not compared: the service keeps no copy of it.');
  try {
    const client = new ContentGen({
      baseUrl: url,
      deployment,
      ...credential,
      maxRetries: 0,
      timeout: PROBE_MS,
      logLevel: 'off',
    });
    const { secret: actual } = await client.webhooks.getSigningSecret();
    if (actual === secret) return ok(check, "It is the project's signing secret");
    const other = 'If the receiver handles events, use the secret of its registration.';
    const detail = `The secret is not the project's signing secret. For result callbacks, use the secret from client.webhooks.getSigningSecret(). ${other}`;
    return wrong(check, detail);
  } catch {
    return undefined;
  }
}
