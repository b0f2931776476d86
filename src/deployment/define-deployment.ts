import {
  type Deployment,
  type DeploymentJson,
  deploymentBrand,
  type SecretEncoding,
} from '../deployment-port.ts';
import { bodies, schemas } from '../generated/names.ts';
import { leastBytes, parseSecret, type WebhookSecret } from '../signing/secret.ts';
import {
  matchesAny,
  type Scheme,
  standardScheme,
  standardSchemeOf,
} from '../signing/standard-scheme.ts';
import { deploymentMistake } from './check.ts';
import { errorTranslation } from './errors.ts';
import { hmacScheme } from './hmac-scheme.ts';
import { compileNames } from './names.ts';
import { assertTellable } from './round-trip.ts';
import { secretForm } from './secret-form.ts';
import { bodyTranslation } from './translation.ts';

/**
 * Checks what a service does differently from the contract, and returns the value that client, receiver, reference
 * server and commands take. Pass the content of your `deployment.json`.
 *
 * @throws TypeError that names the entry that cannot work
 * @example const deployment = defineDeployment({ wrap: 'data', fields: { requestId: 'job_id' } });
 */
export function defineDeployment(json: DeploymentJson): Deployment {
  const mistake = deploymentMistake(json);
  if (mistake) throw new TypeError(`The deployment is not valid: ${mistake}`);
  const own = frozen(JSON.parse(JSON.stringify(json))) as DeploymentJson;
  const absent = new Set<string>(own.absent);
  // Two ways to say it.
  if (absent.has('generateContent.stream')) absent.add('stream').delete('generateContent.stream');
  const has = (what: string): boolean => !absent.has(what);
  const namesOf = compileNames(own);
  const errors = errorTranslation(own, namesOf);
  const { toTheirs, toOurs, requestField } = bodyTranslation(own, namesOf, has);
  assertTellable(namesOf);
  const paths = new Map(Object.entries(own.paths ?? {}));
  const { scheme, idempotency = 'Idempotency-Key' } = own;
  const isToken = scheme?.type === 'token';
  const tokenHeader = own.tokenHeader ?? 'X-Service-Token';
  return Object.freeze({
    [deploymentBrand()]: true,
    json: own,
    accessTokenHeader: own.accessTokenHeader?.toLowerCase(),
    tokenHeader: isToken ? (scheme.header ?? tokenHeader) : tokenHeader,
    tokenPrefix: (isToken && scheme.prefix) || '',
    idempotencyHeader: idempotency === false ? undefined : `${idempotency}`,
    scheme: schemeOf(own, tokenHeader),
    has,
    names: (schema) => (Object.hasOwn(schemas, schema) ? namesOf(schema) : undefined),
    promises(operation, field) {
      const [response = ''] = bodies[operation].responses;
      const { absent } = namesOf(schemas[response]?.fields['data']?.slice(2) ?? response);
      return !absent.some((path) => `${field}.`.startsWith(`${path.join('.')}.`));
    },
    path: (operation) => paths.get(operation),
    requestField,
    toTheirs: { ...toTheirs, problem: errors.toTheirs },
    toOurs: { ...toOurs, problem: errors.toOurs },
    toJSON: () => own,
  } satisfies Deployment);
}

function schemeOf({ scheme, secretEncoding }: DeploymentJson, tokenHeader: string): Scheme {
  const encoding = (secretEncoding ?? 'whsec') as SecretEncoding;
  if (scheme?.type === 'hmac') return hmacScheme(scheme, encoding);
  if (scheme?.type === 'token')
    return tokenScheme(scheme.header ?? tokenHeader, scheme.prefix ?? '');
  return encoding === 'whsec'
    ? standardScheme()
    : standardSchemeOf(secretForm(encoding, leastBytes));
}

/** The header carries the secret itself, behind a prefix such as `Bearer `. */
function tokenScheme(header: string, prefix: string): Scheme {
  const form = secretForm('utf8' satisfies SecretEncoding);
  const textOf = (secret: WebhookSecret) =>
    prefix + new TextDecoder().decode(parseSecret(secret, undefined, form));
  return {
    name: 'token',
    signatureHeaders: [header],
    sendsEnvelope: false,
    signsEnvelope: false,
    prepare: (secret, name) => void parseSecret(secret, name, form),
    sign: ({ secrets: [newest = ''] }) => ({ [header]: textOf(newest) }),
    check: ({ secrets, signature }) =>
      matchesAny(secrets.map(textOf), [signature]) ? 'valid' : 'signature_mismatch',
  };
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
