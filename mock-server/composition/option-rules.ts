import { isDuration } from '../control/arguments.ts';
import { readInstant } from '../control/clock/advance-clock.ts';
import { findFaultError } from '../control/faults/faults.ts';
import { isNetwork } from '../domain/address-policy.ts';
import { keyRule } from '../domain/api-keys.ts';
import { deploymentRule } from '../domain/deployment.ts';
import * as rules from '../domain/options.ts';
import type { DeliveryOptions, MockServerOptions } from './options.ts';

const isNumber = (value: unknown, least: number): boolean =>
  Number.isFinite(value) && (value as number) >= least;

/** An object with these members and no others; all can be left out, or none. */
const members =
  (known: Readonly<Record<string, rules.OptionRule>>, needed: 'all' | 'none'): rules.OptionRule =>
  (value) => {
    const mistake = rules.optionMistake(value, known, { whole: 'it', unknown: 'unknown field' });
    if (mistake) return `is not valid: ${mistake}`;
    const missing = Object.keys(known).find((name) => Object(value)[name] === undefined);
    return missing && needed === 'all' ? `is not valid: ${missing} is missing.` : undefined;
  };

const timeRule = rules.mustBe('0 or more milliseconds', (value) => isNumber(value, 0));
const timesRule = members({ min: timeRule, max: timeRule }, 'all');

function processingTimeRule(value: unknown): string | undefined {
  if (!rules.isObject(value)) return timeRule(value);
  const { min, max } = value;
  return timesRule(value) ?? (Number(min) > Number(max) ? 'has a min above its max.' : undefined);
}

function isBaseUrl(value: unknown): boolean {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  return !!url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}

function faultsRule(faults: unknown): string | undefined {
  if (!Array.isArray(faults)) return rules.mustBe('an array', Array.isArray)(faults);
  const errors = faults.map(findFaultError);
  const index = errors.findIndex((error) => error !== undefined);
  return index < 0 ? undefined : `is not valid: in faults[${index}], ${errors[index]}`;
}

/** What each option can be. What two options say together is checked where they are resolved. */
export const mockRules: rules.OptionRules<MockServerOptions> = {
  baseUrl: rules.mustBe('an http(s) URL without a query or a fragment', isBaseUrl),
  seed: rules.count,
  clock: rules.oneOf(['manual', 'real']),
  start: rules.mustBe(
    "a time such as '2026-02-01T00:00:00Z', between 1970 and November 9999, or 'now'",
    (value) => readInstant(value) !== undefined,
  ),
  patience: rules.millisecondsOrNone,
  quota: rules.count,
  faults: faultsRule,
  processingTime: processingTimeRule,
  streamGrace: rules.mustBe("0 or more ms, or a string such as '60 s'", (value) =>
    isDuration(value, 0),
  ),
  generator: rules.callback,
  models: rules.listOf('non-empty strings', rules.isText),
  rateLimit: members(
    {
      limit: rules.numberFrom('a number of requests, 1 or more', 1),
      windowSeconds: rules.mustBe(
        'a number of seconds above 0',
        (value) => typeof value === 'number' && value > 0,
      ),
    },
    'all',
  ),
  deliveries: members(
    {
      network: rules.flag,
      allowPrivate: rules.mustBe("true, false or networks such as ['172.16.0.0/12']", (value) =>
        Array.isArray(value) ? value.every(isNetwork) : typeof value === 'boolean',
      ),
      strictHttps: rules.flag,
      ca: rules.mustBe(
        'the PEM text of one or more certificates, starting with -----BEGIN CERTIFICATE-----',
        rules.matches(/-----BEGIN [A-Z ]*CERTIFICATE-----/),
      ),
      transport: rules.callback,
    } satisfies rules.OptionRules<DeliveryOptions>,
    'none',
  ),
  scheme: rules.objectWith(['sign']),
  deployment: deploymentRule,
  jwks: rules.mustBe('an object with keys, an array of JWKs', (value) =>
    Array.isArray(Object(value).keys),
  ),
  adminKey: keyRule,
  store: rules.checkedLater,
  retention: members(
    {
      count: rules.integerFrom(1),
      lines: rules.integerFrom(1),
      bytes: rules.integerFrom(1024 * 1024),
    },
    'none',
  ),
  logBodies: rules.flag,
  onError: rules.callback,
  onWarning: rules.callback,
};
