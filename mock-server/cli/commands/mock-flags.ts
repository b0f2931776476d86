import { defaults } from '../../composition/defaults.ts';
import { isNetwork } from '../../domain/address-policy.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { type FlagValues, option, optionOr, toggle } from '../flags.ts';
import {
  anyText,
  baseUrl,
  hostName,
  integer,
  names,
  oneOf,
  type Parse,
  UsageError,
  visibleToken,
} from '../values.ts';

const MAX = Number.MAX_SAFE_INTEGER;

const rateLimit: Parse<{ limit: number; windowSeconds: number }> = (text, name) => {
  const [limit = '', window, ...rest] = text.split('/');
  if (window === undefined || rest.length > 0) {
    throw new UsageError(`${name} must be N/S, for example 100/60, not '${text}'.`);
  }
  return {
    limit: integer(1, 1e9)(limit, name),
    windowSeconds: integer(1, 86_400)(window, name),
  };
};

const networks: Parse<readonly string[]> = (text, name) => {
  const wrong = names(text, name).find((network) => !isNetwork(network));
  if (wrong === undefined) return names(text, name);
  throw new UsageError(`${name} must be networks such as 172.16.0.0/12, not '${wrong}'.`);
};

export const mockFlags = {
  port: optionOr(
    String(defaults.port),
    'N',
    'Port to listen on; 0 picks a free one',
    integer(0, 65_535),
  ),
  host: optionOr(defaults.host, 'HOST', 'Address to listen on', hostName),
  data: option('FILE', 'Keep all data in this file', anyText, {
    shownDefault: 'in memory',
    env: 'CONTENTGEN_DATA',
  }),
  seed: option('N', 'Make ids, keys, texts and times reproducible', integer(0, MAX)),
  clock: optionOr(
    'real',
    'real|manual',
    'A manual clock moves only through the control API',
    oneOf(['real', 'manual']),
  ),
  quota: option('N', 'Tokens per month of the organization', integer(0, MAX), {
    shownDefault: String(defaults.quota),
  }),
  models: option('A,B', 'Additional model names', names),
  'rate-limit': option('N/S', 'Allow N requests per S seconds and credential', rateLimit),
  'admin-key': option('KEY', 'Import this admin key', anyText, { env: 'CONTENTGEN_ADMIN_KEY' }),
  deployment: deploymentFlag,
  snapshot: option('FILE', 'Start with the state that mock.snapshot() returned, as JSON', anyText),
  retention: option('N', 'Finished generations to keep', integer(1, 1e9), {
    shownDefault: String(defaults.generations),
  }),
  'strict-https': toggle('Reject http callback URLs on loopback too'),
  'allow-private': toggle('Deliver to private addresses, over http too'),
  'allow-network': option(
    'CIDR,...',
    'The same for these networks, such as 172.16.0.0/12',
    networks,
  ),
  ca: option('FILE', 'Trust the certificate authorities in this PEM file too', anyText),
  'control-token': option(
    'TOKEN',
    'Token for control API and page: 16 characters or more',
    visibleToken,
    {
      env: 'CONTENTGEN_CONTROL_TOKEN',
    },
  ),
  'public-url': option('URL', 'Address that clients use', baseUrl),
  'write-env': option(
    'FILE',
    'Write URL, admin key, signing secret and control token to this file, as variables',
    anyText,
  ),
  log: optionOr(
    'text',
    'text|none',
    'A line per request and delivery, on standard error',
    oneOf(['text', 'none']),
  ),
  'log-bodies': optionOr(
    'true',
    'true|false',
    'Keep the bodies of requests in the request log, and prompts in the data file',
    oneOf(['true', 'false']),
  ),
  json: toggle('Print one line of JSON with url, keys and pid'),
};

export type MockFlags = FlagValues<typeof mockFlags>;
