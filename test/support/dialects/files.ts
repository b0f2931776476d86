import type { DeploymentJson } from '../../../src/deployment/index.ts';
import { routes } from '../../../src/generated/routes.ts';
import type { Names, Reading } from './reading.ts';
import { dialects, givenOnly } from './readings.ts';

type Lines = Record<string, unknown>;

/** What the contract calls each value, and its field's name there if that is another one. */
const fields: Partial<Record<keyof Names, readonly [field: string, name?: string]>> = {
  requestId: ['requestId'],
  result: ['result'],
  model: ['model'],
  totalTokens: ['usage.totalTokens'],
  keyId: ['ApiKey.id', 'id'],
  key: ['key'],
  hookId: ['Webhook.id', 'id'],
  createdAt: ['createdAt'],
  nextCursor: ['nextCursor'],
};

/** The path of each collection in the contract. */
const collections = {
  generate: '/api/ai/content/generate',
  keys: '/api/auth/api-keys',
  hooks: '/api/webhooks',
  usage: '/api/usage',
} as const;
/** What a service can have: its route there, and the collection that it belongs to. */
const operations: Readonly<Record<string, readonly [route: string, part: keyof Reading['paths']]>> =
  {
    generateContent: ['POST generate', 'generate'],
    createApiKey: ['POST keys', 'keys'],
    createWebhook: ['POST hooks', 'hooks'],
    getUsage: ['GET usage', 'usage'],
    listGenerations: ['GET generate', 'generate'],
    getGeneration: ['GET generate/#', 'generate'],
    listApiKeys: ['GET keys', 'keys'],
    listWebhooks: ['GET hooks', 'hooks'],
    deleteWebhook: ['DELETE hooks/#', 'hooks'],
  };
/** No service has these. */
const never = [
  ...['cancelGeneration', 'getSigningSecret', 'listCallbackDeliveries', 'stream'],
  ...['getApiKey', 'regenerateApiKey', 'revokeApiKey'],
];
/** Nor these, which can only be tried on a registration. */
const ofHooks = [
  ...['getWebhook', 'listDeliveries', 'testWebhook', 'updateWebhook', 'redeliverFailed'],
  'rotateWebhookSecret',
];
const ofRequests = ['model', 'maxTokens', 'temperature', 'seed', 'metadata'].map(
  (field) => `generateContent.${field}`,
);

/** What follows from how a service reads the specification. */
function linesOf({ names, paths, has, words, wrap }: Reading): Lines {
  const renamed = Object.entries(names).flatMap(([value, own]) => {
    const [field, name = field] = fields[value as keyof Names] ?? [];
    return field && own !== name ? [[field, own]] : [];
  });
  if (has.some((route) => /^GET \w+$/.test(route))) renamed.push(['data', 'items']);
  const moved = Object.entries(operations).flatMap(([operation, [route, part]]) => {
    const own = paths[part];
    if (!own || own === collections[part] || !exists({ paths, has }, route)) return [];
    const [, path = ''] = routes[operation as keyof typeof routes].split(' ');
    return [[operation, path.replace(collections[part], own)]];
  });
  return {
    ...(wrap && { wrap }),
    ...(names.callback !== 'webhookUrl' && { webhookUrlField: names.callback }),
    ...(words.done && { statuses: { processing: words.started, completed: words.done } }),
    ...(renamed.length > 0 && { fields: Object.fromEntries(renamed) }),
    ...(moved.length > 0 && { paths: Object.fromEntries(moved) }),
    idempotency: false,
  };
}

/** Whether a service has a route. Each collection can be posted to; what else it can is said. */
function exists({ paths, has }: Pick<Reading, 'paths' | 'has'>, route: string): boolean {
  const [method, part = ''] = route.split(/[ /]/);
  if (method !== 'POST' && part !== 'usage') return has.some((one) => one === route);
  return paths[part as keyof Reading['paths']] !== undefined;
}

function absentIn(reading: Reading): string[] {
  const missing = Object.entries(operations)
    .filter(([, [route]]) => !exists(reading, route))
    .map(([operation]) => operation);
  const hooks = reading.paths.hooks ? ofHooks : [];
  const tried = missing.filter((one) => reading.paths.hooks || one !== 'deleteWebhook');
  return [...never, ...tried, ...hooks, ...(reading.isStrict ? ofRequests : [])];
}

const errors = (code: string, message: string) => ({ code, message });
const dated = { type: 'hmac', signs: '{timestamp}.{body}' };

/** How deliveries are signed and what errors say: what a reader of each service would write. */
const own: Record<keyof typeof dialects, Lines> = {
  snakeCase: {
    scheme: { type: 'hmac', format: 'sha256={signature}' },
    errors: errors('error_code', 'error_message'),
  },
  dataWrapper: {
    scheme: { type: 'hmac', encoding: 'base64' },
    errors: errors('error.code', 'error.message'),
  },
  stripeSigned: {
    scheme: { ...dated, format: 't={timestamp},v1={signature}' },
    errors: errors('error.type', 'error.message'),
  },
  rateLimited: {
    scheme: { ...dated, timestampHeader: 'x-service-timestamp', timestampUnit: 'ms' },
    errors: errors('code', 'detail'),
  },
  htmlErrors: {
    scheme: { type: 'hmac', algorithm: 'sha512', header: 'x-signature' },
    errors: false,
  },
  kebabCase: {
    scheme: { type: 'hmac', encoding: 'base64', header: 'x-request-signature' },
    errors: errors('errors.0.code', 'errors.0.message'),
  },
};

/** What a reader of a dialect would write into its file. */
export const fileOf = (name: keyof typeof dialects): DeploymentJson => ({
  ...linesOf(dialects[name]),
  ...own[name],
  secretEncoding: 'utf8',
  absent: absentIn(dialects[name]),
});

const given = ['generateContent', 'createApiKey', 'createApiKeyAlias', 'createWebhook'];
const givenFile = (name: keyof typeof givenOnly, scheme: object): DeploymentJson => ({
  ...linesOf(givenOnly[name]),
  absent: Object.keys(routes).filter((operation) => !given.includes(operation)),
  secretEncoding: 'utf8',
  scheme: { type: 'hmac', ...scheme },
});

/** The files of the services that do what the specification gives. */
export const givenOnlyFiles: Readonly<Record<keyof typeof givenOnly, DeploymentJson>> = {
  plain: givenFile('plain', {}),
  renamed: givenFile('renamed', {}),
  mixed: givenFile('mixed', { encoding: 'base64', format: 'sha256={signature}' }),
};
