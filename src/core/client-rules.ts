import { cleanText } from '../clean-text.ts';
import { checkOptions } from '../options/check-options.ts';
import {
  abortSignal,
  count,
  httpUrl,
  matches,
  milliseconds,
  mustBe,
  type OptionRule,
  type OptionRules,
  recordOf,
} from '../options/rules.ts';
import { type Defined, isFunction } from '../options/values.ts';
import type { CallOptions } from '../options.ts';
import { credentialMistake, quoted } from './credential.ts';

export const headers = mustBe(
  'a plain object of header names and single-line strings',
  recordOf(matches(/^[!#$%&'*+.^_`|~\w-]+$/), matches(/^[\t -~\x80-\xff]*$/)),
);
export const idempotencyKey = mustBe(
  '1 to 255 visible ASCII characters',
  matches(/^[!-~]{1,255}$/),
);

/** Shows what looks like an address, without what can be secret. */
export const baseUrl: OptionRule = (value) => {
  const problem = httpUrl(value);
  if (problem && typeof value === 'string' && quoted[0].test(value)) return quoted[1];
  if (!problem || typeof value !== 'string' || !/^[\w+-]*[.:]/.test(value) || value.length > 60)
    return problem;
  const shown = cleanText(value.replace(/\/\/[^/]*@/, '//').replace(/[?#].*/s, ''));
  const advice =
    shown.includes('://') || httpUrl(`http://${shown}`) ? '' : ` Did you mean 'http://${shown}'?`;
  return problem.replace('a string.', `'${shown}'.${advice}`);
};

const credentialSource = mustBe('a string, or a function that returns one', isFunction);
export const credential: OptionRule = (value) =>
  typeof value === 'string' ? credentialMistake(value) : credentialSource(value);

const credentialHeaders = ['x-api-key', 'authorization'];

/**
 * Rejects a credential among other headers: the client sends its own, and the service rejects two.
 * @throws TypeError that names the header, never its value
 */
export function assertNoCredential(
  headers: Readonly<Record<string, unknown>>,
  ownHeader: string,
  advice: string,
): void {
  for (const name of [...credentialHeaders, ownHeader]) {
    if (headers[name] === undefined) continue;
    throw new TypeError(`headers must not contain ${name}, which carries a credential. ${advice}`);
  }
}

export function assertOption(name: string, value: unknown, rule: OptionRule): void {
  const problem = rule(value);
  if (problem) throw new TypeError(`${name} ${problem}`);
}

export const aliases = {
  key: 'apiKey',
  token: 'accessToken',
  url: 'baseUrl',
  endpoint: 'baseUrl',
  retry: 'maxRetries',
  defaultheaders: 'headers',
};

export const limitRules = {
  signal: abortSignal,
  timeout: milliseconds,
  deadline: milliseconds,
  maxRetries: count,
  headers,
};

const callRules: OptionRules<CallOptions> = { ...limitRules, idempotencyKey };

export const checkCallOptions = (options: CallOptions | undefined): Defined<CallOptions> =>
  options === undefined ? {} : checkOptions(options, callRules, aliases);
