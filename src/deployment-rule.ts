import {
  type Deployment,
  fieldName,
  headerName,
  isHeaderName,
  isOperation,
  paths,
  type Translation,
} from './deployment.ts';
import { ownerOf, toOurs, toTheirs } from './deployment-names.ts';
import { optionMistake } from './options/check-options.ts';
import * as rules from './options/rules.ts';
import { isFunction, isObject, isText } from './options/values.ts';

const words = { whole: 'it', unknown: 'unknown field' };

const schemeRules: Readonly<Record<string, rules.OptionRule>> = {
  type: rules.oneOf(['standard', 'plain-hmac', 'token']),
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
  if (isFunction(sign)) return undefined;
  const mistake = optionMistake(value, schemeRules, words);
  if (mistake || type === undefined) return `is not valid: ${mistake ?? 'type is missing.'}`;
  const fields = fieldsOfScheme[type] ?? /^type$/;
  const extra = Object.keys(value as object).find((name) => !fields.test(name));
  return extra && `is not valid: the type ${type} has no ${extra}.`;
};

/** A record whose values are all different: two of our names for one of theirs could not be told apart. */
function namesFor(isName: (name: string) => boolean, isValue: (value: unknown) => boolean) {
  const isRecord = rules.recordOf(isName, isValue);
  return (record: unknown) =>
    isRecord(record) &&
    new Set(Object.values(record as object)).size === Object.keys(record as object).length;
}

const isFieldPath = rules.matches(/^(?!.*__proto__)[^.]+(\.[^.]+)*$/);

const deploymentRules: rules.OptionRules<Deployment> = {
  $schema: rules.text,
  baseUrl: rules.mustBe('an http or https URL', rules.matches(/^https?:\/\/[^\s?#]+$/i)),
  paths,
  webhookUrlField: fieldName,
  accessTokenHeader: headerName,
  fields: rules.mustBe(
    'an object of field names of the contract and different names',
    namesFor((name) => isFieldPath(name) && ownerOf(name) !== undefined, isFieldPath),
  ),
  wrap: fieldName,
  statuses: rules.mustBe(
    'an object of processing, completed, failed and canceled with different words',
    namesFor(rules.matches(/^(processing|completed|failed|canceled)$/), isText),
  ),
  absent: rules.listOf('operation ids', isOperation),
  idempotency: rules.mustBe(
    'false or a header name',
    (value) => value === false || isHeaderName(value),
  ),
  tokenHeader: headerName,
  eventNames: rules.mustBe(
    'an object of event types and different names',
    namesFor(
      rules.matches(
        /^(generation_(completed|failed)|usage_threshold|invoice_(paid|payment_failed)|data_updated)$/,
      ),
      isText,
    ),
  ),
  scheme,
  secretEncoding: rules.oneOf(['whsec', 'utf8', 'hex', 'base64']),
  conformance: rules.mustBe('an object', isObject),
};

/** What is wrong with a deployment, as the rest of a sentence. */
export const deploymentRule: rules.OptionRule = (value) => {
  const mistake = optionMistake(value, deploymentRules, words);
  return mistake && `is not valid: ${mistake}`;
};

/** What a client with a deployment does to its bodies. @throws TypeError for a deployment that is not valid */
export function translationOf(deployment: Deployment): Translation {
  const mistake = deploymentRule(deployment);
  if (mistake) throw new TypeError(`deployment ${mistake}`);
  const { statuses = {} } = deployment;
  return {
    query: (operation, query) => toTheirs({ statuses }, operation, query),
    request: (operation, body) => toTheirs(deployment, operation, body),
    response: (operation, body) => toOurs(deployment, operation, body),
  };
}
