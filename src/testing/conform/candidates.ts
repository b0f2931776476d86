import { routes } from '../../generated/routes.ts';
import type { OperationId } from '../../types.ts';
import { plain } from './shapes.ts';

export function routeOf(operation: OperationId): readonly [method: string, path: string] {
  const [method = '', path = ''] = routes[operation].split(' ');
  return [method, path];
}

/** What services put before and in place of `/api`. */
const versions = ['/v1', '/v2', '/v3', '/v4'];
const moves: readonly ((path: string) => string)[] = [
  (path) => path,
  ...versions.map((version) => (path: string) => version + path),
  ...['', ...versions, ...versions.map((version) => `/api${version}`)].map(
    (prefix) => (path: string) => path.replace(/^\/api(?=\/)/, prefix),
  ),
];

const generatePaths = ['', '/api', '/v1', '/v2', '/api/v1'].flatMap((prefix) =>
  ['/generate', '/content/generate', '/generations', '/ai/generate', '/completions'].map(
    (path) => prefix + path,
  ),
);

/** Where the generation might be, the likeliest first; near where it was, if that is known. */
export function generationPaths(known: unknown): string[] {
  const ours = routeOf('generateContent')[1];
  const roots = typeof known === 'string' ? [known, ours] : [ours];
  const moved = roots.flatMap((root) => moves.map((move) => move(root)));
  const plural = moved.map((path) => path.replace(/generate$/, 'generations'));
  return [...new Set([...moved, ...plural, ...generatePaths])];
}

/** Where an operation might be when the generation is at another path than ours. */
export function movedPaths(operation: OperationId, generation: string): readonly string[] {
  const ours = routeOf('generateContent')[1];
  const [, path] = routeOf(operation);
  const below = path.startsWith(ours) ? [generation + path.slice(ours.length)] : [];
  const same = moves.filter((move) => move(ours) === generation).map((move) => move(path));
  // A service that has moved one operation has mostly moved the others with it.
  const prefixes = [/^(\/api)?(\/v\d+)?/, /^\/[\w-]+/].map(
    (start) => start.exec(generation)?.[0] ?? '',
  );
  const guessed =
    generation === ours ? [] : prefixes.map((prefix) => path.replace(/^\/api/, prefix));
  const alias =
    operation === 'createApiKey'
      ? ['', ...prefixes].map((prefix) => `${prefix}/api-keys/generate`)
      : [];
  return [...new Set([...below, ...same, ...guessed, path, ...alias])];
}

/** Whether the path of an operation follows from that of the generation, and that is in no way like the contract's. */
export function isOnlyDerived(operation: OperationId, generation: string): boolean {
  const ours = routeOf('generateContent')[1];
  const isBelow = operation !== 'generateContent' && routeOf(operation)[1].startsWith(ours);
  return isBelow && !moves.some((move) => move(ours) === generation);
}

/** A name as services write it: `maxTokens`, `max_tokens`, `max-tokens`. */
export function styled(name: string): readonly string[] {
  const joined = (mark: string) => name.replace(/[A-Z]+/g, (letter) => mark + letter.toLowerCase());
  return [...new Set([name, joined('_'), joined('-')])];
}

const wordsIn = (text: string) => text.match(/(?<!\w)[A-Za-z_][\w.-]{0,22}[A-Za-z\d](?!\w)/g) ?? [];

export function namesFor(field: RequestField, error = ''): readonly string[] {
  const { like, usual } = requestFields[field];
  const named = wordsIn(error).filter((word) => like.test(plain(word)));
  return [...new Set([...named.filter((word) => /[A-Z_]|^[a-z]+$/.test(word)), ...usual])];
}

type RequestField = keyof typeof requestFields;

const styles = (names: string) => names.split(' ').flatMap(styled);

const requestFields = {
  webhookUrl: {
    like: /^(webhook|callback|notify|notification|hook|result|response|return|reply|post)\w*(url|uri|to|endpoint)$|^(webhook|callback|hook)$/,
    usual: styles(
      'webhookUrl callbackUrl webhook callback notifyUrl hookUrl notificationUrl callbackUri resultUrl webhookURL callbackURL callback.url webhook.url',
    ),
  },
  prompt: {
    like: /prompt|^(input|text|query|message|instruction|content)/,
    usual: styles(
      'prompt input text query message instruction content promptText input.text input.prompt',
    ),
  },
  url: {
    like: /(url|uri|endpoint|target)$/,
    usual: styles('url targetUrl callbackUrl webhookUrl endpoint target uri'),
  },
  event: {
    like: /event|topic|^type$/,
    usual: styles('event eventType type topic eventName'),
  },
};

export function eventNames(ours: string, error = ''): readonly string[] {
  const named = wordsIn(error).filter((word) => plain(word).replaceAll('.', '') === plain(ours));
  const written = ['.', '-', ':'].map((mark) => ours.replaceAll('_', mark));
  const camel = ours.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [...new Set([...named, ours, ...written, ours.toUpperCase(), camel])];
}

export function put(body: object, path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.');
  const inner = (body as Record<string, unknown>)[name];
  return {
    ...body,
    [name]: rest.length === 0 ? value : put(Object(inner) as object, rest.join('.'), value),
  };
}
