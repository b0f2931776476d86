import type { Deployment } from '../../../src/deployment/index.ts';
import { routes } from '../../../src/generated/routes.ts';
import { ContentGen } from '../../../src/index.ts';
import { pathInBaseUrl } from '../../../src/path-in-base-url.ts';
import { defaultToleranceS, type Finding, ok, skipped, wrong } from './finding.ts';

const PROBE_MS = 5000;
const SKEW_WORTH_FIXING_S = 60;

export async function checkServer(url: string, deployment?: Deployment): Promise<Finding[]> {
  const check = 'server';
  const started = performance.now();
  const response = await probe(url, 'generateContent', undefined, deployment).catch(reasonOf);
  if (typeof response === 'string')
    return [wrong(check, `Failed to connect to ${url}: ${response}.`)];
  if (response.status !== 401) {
    const seen = `${response.status} instead of 401 to a request without a key`;
    const advice = pathInBaseUrl(`${url}/api/`) || " Check that this is the API's base URL.";
    return [wrong(check, `${url} responded with ${seen}.${advice}`)];
  }
  const ms = Math.round(performance.now() - started);
  return [
    ok(check, `${url} responds (${ms} ms)`),
    checkClock(response.headers.get('date'), Date.now()),
  ];
}

/** Compares the clocks: past the tolerance of receivers, every signature is rejected. */
export function checkClock(date: string | null | undefined, now: number): Finding {
  const check = 'clock';
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return skipped(check, 'The response had no Date header.');
  const skew = Math.round((now - theirs) / 1000);
  const way = skew > 0 ? 'ahead of' : 'behind';
  const detail = `This machine is ${Math.abs(skew)} s ${way} the server`;
  if (Math.abs(skew) > defaultToleranceS)
    return wrong(check, `${detail}: every signature is rejected. Synchronize the clock (NTP).`);
  if (Math.abs(skew) >= SKEW_WORTH_FIXING_S)
    return wrong(check, `${detail}. Synchronize the clock (NTP).`);
  return ok(check, `Within ${Math.max(1, Math.abs(skew))} s of the server's`);
}

/** Checks the key's format, and that the gateway accepts it where there is something to read. */
export async function checkKey(
  url: string,
  apiKey: string | undefined,
  deployment?: Deployment,
): Promise<Finding> {
  const check = 'key';
  if (!apiKey) return skipped(check, 'No key was given (--api-key or CONTENTGEN_API_KEY).');
  if (apiKey !== apiKey.trim())
    return wrong(check, 'The key has leading or trailing white space. Remove it.');
  if (apiKey.startsWith('whsec_'))
    return wrong(
      check,
      'This is a webhook signing secret. A key starts with cg_live_ or cg_test_.',
    );
  let seen = 'nothing';
  for (const operation of [
    'getUsage',
    'listGenerations',
    'listApiKeys',
    'generateContent',
  ] as const) {
    const response = await probe(url, operation, apiKey, deployment).catch(reasonOf);
    if (typeof response === 'string') return wrong(check, `No response: ${response}.`);
    const { status } = response;
    seen = `${status}${await codeOf(response)}`;
    if ([404, 405, 501].includes(status)) continue;
    if (status !== 401)
      return ok(
        check,
        `The gateway accepts it${status < 400 ? '' : `, and responds with ${seen}`}`,
      );
    const form = /^cg_(?:live|test)_[0-9A-Za-z]{49}$/.test(apiKey)
      ? ''
      : ' A key is cg_live_ or cg_test_ and 49 letters and digits; check that it is complete.';
    return wrong(check, `The gateway responds with ${seen}.${deployment ? '' : form}`);
  }
  return wrong(
    check,
    `The gateway responds with ${seen} to everything. Check the base URL and the paths.`,
  );
}

/** One request that changes nothing: what it asks for is read, or not valid. */
function probe(
  url: string,
  operation: 'getUsage' | 'listGenerations' | 'listApiKeys' | 'generateContent',
  apiKey: string | undefined,
  deployment?: Deployment,
): Promise<Response> {
  const [method = '', path = ''] = routes[operation].split(' ');
  return fetch(url + (deployment?.path(operation) ?? path), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(apiKey && { 'x-api-key': apiKey }),
    },
    ...(method === 'POST' && { body: '{}' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PROBE_MS),
  });
}

function reasonOf(error: unknown): string {
  const { cause = error } = error as Error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return code && typeof code === 'string' ? code : message;
}

async function codeOf(response: Response): Promise<string> {
  const { code } = Object(await response.json().catch(() => undefined));
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` ${code}` : '';
}

/** Compares the secret with the project's; `undefined` if that cannot be read, which requires an admin key. */
export async function compareSecret(
  baseUrl: string,
  apiKey: string,
  secret: string,
  deployment?: Deployment,
): Promise<Finding | undefined> {
  const check = 'secret';
  try {
    const client = new ContentGen({
      ...{ baseUrl, maxRetries: 0, timeout: PROBE_MS, logLevel: 'off' },
      ...(deployment && { deployment }),
      apiKey,
    });
    const { secret: actual } = await client.webhooks.getSigningSecret();
    if (actual === secret) return ok(check, "It is the project's signing secret");
    const other =
      'If it is the secret of a registration, check it with a saved delivery: --headers FILE --body FILE.';
    return wrong(
      check,
      `The secret is not the project's signing secret. For result callbacks, use the secret from client.webhooks.getSigningSecret(). ${other}`,
    );
  } catch {
    return undefined;
  }
}
