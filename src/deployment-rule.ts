import { clientRules, type Deployment, headerName, mistakeIn, namesFor } from './deployment.ts';
import * as rules from './option-rules.ts';

// Apart from what the client reads, so that its bundle does not carry these rules.

const schemeRules: Readonly<Record<string, rules.OptionRule>> = {
  type: rules.oneOf(['standard', 'plain-hmac', 'token', 'ed25519']),
  algorithm: rules.oneOf(['sha256', 'sha512']),
  encoding: rules.oneOf(['hex', 'base64']),
  prefix: rules.mustBe('up to 64 visible ASCII characters', rules.matches(/^[!-~]{0,64}$/)),
  header: rules.mustBe('1 to 64 letters, digits or hyphens', rules.matches(/^[A-Za-z0-9-]{1,64}$/)),
  envelopeHeaders: rules.flag,
};
const fieldsOfScheme: Readonly<Record<string, RegExp>> = {
  token: /^(type|header)$/,
  'plain-hmac': /./,
};

/** A scheme with functions has checked its own options. */
const scheme: rules.OptionRule = (value) => {
  const { type, sign } = Object(value);
  if (rules.isFunction(sign)) return undefined;
  const mistake = rules.optionMistake(value, schemeRules, {
    whole: 'it',
    unknown: 'unknown field',
  });
  if (mistake || type === undefined) return `is not valid: ${mistake ?? 'type is missing.'}`;
  const fields = fieldsOfScheme[type] ?? /^type$/;
  const extra = Object.keys(value as object).find((name) => !fields.test(name));
  return extra && `is not valid: the type ${type} has no ${extra}.`;
};

/** The rules of what only receivers and the reference server read. */
const otherRules: Omit<rules.OptionRules<Deployment>, keyof typeof clientRules> = {
  $schema: rules.text,
  tokenHeader: headerName,
  eventNames: rules.mustBe(
    'an object of event types and different names',
    namesFor(
      rules.matches(
        /^(generation_(completed|failed)|usage_threshold|invoice_(paid|payment_failed)|data_updated)$/,
      ),
      rules.isText,
    ),
  ),
  scheme,
  secretEncoding: rules.oneOf(['whsec', 'utf8', 'hex', 'base64']),
  conformance: rules.mustBe('an object', rules.isObject),
};

/** What is wrong with a deployment, as the rest of a sentence. */
export const deploymentRule: rules.OptionRule = (value) =>
  mistakeIn(value, { ...clientRules, ...otherRules });
