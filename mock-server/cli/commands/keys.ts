import type { ApiKey, ApiKeyWithSecret, ContentGen } from '../../../src/index.ts';
import { printable } from '../../domain/redact.ts';
import { addressOf, printAddress, urlFlag } from '../address.ts';
import { defineCommand } from '../command.ts';
import { controlTokenFlag, withServer } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { type FlagValues, option, optionOr, toggle } from '../flags.ts';
import { type Terminal, toJsonLine } from '../terminal.ts';
import { anyText, integer, oneOf, UsageError } from '../values.ts';

const MAX_GRACE_S = 604_800;

const flags = {
  name: optionOr('command line', 'NAME', 'create: the name of the key', anyText),
  role: optionOr(
    'member',
    'ROLE',
    'create, token: the role of the key or the user, admin or member',
    oneOf(['admin', 'member']),
  ),
  'expires-at': option(
    'TIME',
    'create: when it expires, as an ISO 8601 time; never by default',
    anyText,
  ),
  grace: optionOr(
    '0',
    'SECONDS',
    'regenerate: how long the old key keeps working',
    integer(0, MAX_GRACE_S),
  ),
  url: urlFlag,
  'control-token': controlTokenFlag,
  deployment: deploymentFlag,
  'api-key': option('KEY', 'Use this admin key instead of the control API', anyText),
  quiet: toggle('Print only the key'),
  json: toggle('Print JSON'),
};

type Values = FlagValues<typeof flags>;

const NAMES = ['create', 'list', 'revoke', 'regenerate', 'token'] as const;
const actionNames = NAMES.join(', ');

export const keys = defineCommand({
  description: `Create, list, revoke and regenerate API keys, or issue a token: a JWT of a user, as a service's own
front end has one. On this machine, no key is needed.`,
  usage: [
    'create [--name NAME] [--role ROLE] [--expires-at TIME]',
    'list',
    'revoke ID',
    'regenerate ID [--grace SECONDS]',
    'token [--role ROLE]',
  ],
  operands: {
    name: `The action (${actionNames})`,
    least: 1,
    most: 2,
  },
  flags,
  examples: [
    'contentgen keys create --name ci --role admin',
    'export CONTENTGEN_API_KEY=$(contentgen keys create --quiet)',
    'contentgen keys token --role admin',
  ],
  async run(line, terminal) {
    const {
      flags: values,
      operands: [name = '', id = ''],
    } = line;
    const action = oneOf(NAMES)(name, 'The action');
    const needsId = action === 'revoke' || action === 'regenerate';
    if (needsId && id === '') throw new UsageError(`ID is missing: contentgen keys ${name} ID.`);
    if (!needsId && id !== '') throw new UsageError(`Unexpected argument '${id}'.`);
    const address = addressOf(line, values.url);
    if (action !== 'list' && action !== 'token') printAddress(address, terminal);
    return withServer(address, values, async ({ client, control }) => {
      if (action === 'token')
        showToken(await control.issueToken({ role: values.role }), values, terminal);
      else show(await act(action, (await client()).apiKeys, id, values), values, terminal);
      return 0;
    });
  },
});

async function act(
  action: Exclude<(typeof NAMES)[number], 'token'>,
  apiKeys: ContentGen['apiKeys'],
  id: string,
  values: Values,
): Promise<ApiKey | ApiKeyWithSecret | ApiKey[]> {
  const { name, role, 'expires-at': expiresAt, grace } = values;
  switch (action) {
    case 'create':
      return apiKeys.create({ name, role, expiresAt });
    case 'list':
      return apiKeys.list().toArray();
    case 'revoke':
      return apiKeys.revoke(id);
    case 'regenerate':
      return apiKeys.regenerate(id, { gracePeriodSeconds: grace });
  }
}

function showToken(token: string, { json }: Values, terminal: Terminal): void {
  terminal.out(json ? toJsonLine({ token }) : token);
}

function show(
  result: ApiKey | ApiKeyWithSecret | ApiKey[],
  { json, quiet }: Values,
  terminal: Terminal,
): void {
  if (json) terminal.out(toJsonLine(result));
  else if (Array.isArray(result)) for (const key of result) terminal.out(row(key, terminal));
  else if (quiet) terminal.out('key' in result ? result.key : result.id);
  else {
    terminal.out(row(result, terminal));
    if ('key' in result) terminal.out(`${result.key}  (shown only once)`);
  }
}

function row(key: ApiKey, terminal: Terminal): string {
  const color = key.status === 'active' ? 'green' : 'yellow';
  // A service can leave out anything.
  const status = terminal.paint(color, `${key.status}`.padEnd(8));
  return `${key.id}  ${status}  ${`${key.role}`.padEnd(6)}  ${key.hint}  ${printable(`${key.name}`)}`;
}
