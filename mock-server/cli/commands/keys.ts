import type { ApiKey, ApiKeyWithSecret, ContentGen } from '../../../src/index.ts';
import { baseUrlOf, DEFAULT_URL, printJson, withServer } from '../connection.ts';
import type { Terminal } from '../terminal.ts';
import { integerOf, readArguments, UsageError } from '../usage.ts';

const MOST_GRACE = 604_800;

function read(argv: readonly string[]) {
  return readArguments(
    argv,
    {
      url: { type: 'string', default: DEFAULT_URL },
      'api-key': { type: 'string' },
      name: { type: 'string' },
      admin: { type: 'boolean', default: false },
      'expires-at': { type: 'string' },
      grace: { type: 'string' },
      quiet: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    { least: 1, most: 2, names: 'What to do (create, list, revoke or regenerate)' },
  );
}

type Values = ReturnType<typeof read>['values'];

type Action = (
  client: ContentGen,
  id: string,
  values: Values,
) => Promise<ApiKey | ApiKeyWithSecret | ApiKey[]>;

const ACTIONS: Readonly<Record<string, Action>> = {
  create: (client, _, values) =>
    client.apiKeys.create({
      name: values.name ?? 'command line',
      role: values.admin ? 'admin' : 'member',
      ...(values['expires-at'] === undefined ? {} : { expiresAt: values['expires-at'] }),
    }),
  list: async (client) => {
    const all: ApiKey[] = [];
    for await (const key of client.apiKeys.list({ limit: 100 })) all.push(key);
    return all;
  },
  revoke: (client, id) => client.apiKeys.revoke(id),
  regenerate: (client, id, { grace }) =>
    client.apiKeys.regenerate(
      id,
      grace === undefined ? {} : { gracePeriodSeconds: integerOf('--grace', grace, 0, MOST_GRACE) },
    ),
};

function row(key: ApiKey, terminal: Terminal): string {
  const colour = key.status === 'active' ? 'green' : 'yellow';
  const status = terminal.paint(colour, key.status.padEnd(8));
  return `${key.id}  ${status}  ${key.role.padEnd(6)}  ${key.hint}  ${key.name}`;
}

function show(result: ApiKey | ApiKeyWithSecret, values: Values, terminal: Terminal): void {
  const secret = 'key' in result ? result.key : undefined;
  if (values.quiet) {
    terminal.out(secret ?? result.id);
    return;
  }
  terminal.out(row(result, terminal));
  if (secret !== undefined) terminal.out(`${secret}  (shown once)`);
}

/** `contentgen keys`: API keys of a running server, or of a deployment with `--api-key`. */
export async function keys(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = read(argv);
  const [name = '', id = ''] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) throw new UsageError(`Unknown action '${name}'.`);
  const needsId = name === 'revoke' || name === 'regenerate';
  if (needsId && id === '') throw new UsageError(`ID is missing: contentgen keys ${name} ID.`);
  if (!needsId && id !== '') throw new UsageError(`Unexpected argument '${id}'`);
  return withServer(
    baseUrlOf(values.url),
    async (connection) => {
      const result = await action(await connection.client(), id, values);
      if (values.json) printJson(terminal, result);
      else if (Array.isArray(result)) for (const key of result) terminal.out(row(key, terminal));
      else show(result, values, terminal);
      return 0;
    },
    values['api-key'],
  );
}
