import type { HmacAlgorithm } from '../signing/hmac.ts';
import type { CheckInput } from '../signing/scheme.ts';
import type { WebhookSecret } from '../signing/secret.ts';
import { toHex, webCryptoDigest } from '../signing/web-crypto.ts';
import { bodyVariants, type Variant } from './diagnose-body.ts';
import type { Settings } from './settings.ts';

interface Key {
  /** What is different about this key, or `undefined` for a configured one. */
  readonly finding?: string;
  readonly bytes: Uint8Array;
}
interface Content {
  /** What was signed; `own` is what the configured scheme expects. */
  readonly own: boolean;
  readonly finding: string;
  readonly head: string;
  readonly algorithm: HmacAlgorithm;
}

/** Larger bodies are not tried: a diagnosis hashes a body up to some hundred times. */
const maxBytes = 65_536;

/** What to say when something read the body before the handler could. */
export const parsedAdvice =
  'A webhook arrived whose body a framework had read already, so it was not acknowledged and will ' +
  'come again: mount the handler before express.json(), bodyParser or koa-bodyparser, or use ' +
  'express.raw(), fastifyWebhooks, NestJS rawBody: true, or no parser on that route.';

const rawBody = [
  'Pass the bytes as received:',
  "  Express   app.post(path, express.raw({ type: 'application/json' }), toNodeHandler(handler)), before any express.json()",
  '  Next.js   app router: the handler itself; pages router: export const config = { api: { bodyParser: false } }',
  '  Fastify   app.register(fastifyWebhooks, { path, handler })',
  '  NestJS    NestFactory.create(App, { rawBody: true }), then request.rawBody',
  '  Koa       toNodeHandler(handler)(ctx.req, ctx.res), before koa-bodyparser',
  '  Lambda    toLambdaHandler(handler), which also decodes isBase64Encoded',
  '  Hono, Workers, Deno, Bun   the Request itself: handler(c.req.raw)',
].join('\n');

/**
 * Which usual mistake would explain the mismatch, as a text for the log. It names causes, variables and
 * lengths; never a secret, signature or body.
 */
export async function diagnose(settings: Settings, delivery: CheckInput): Promise<string> {
  const { body, signature } = delivery;
  const lead = `Webhook signature mismatch (${settings.scheme.name ?? 'standard'}, ${body.length} bytes): `;
  if (body.length > maxBytes)
    return `${lead}not diagnosed, the body is over ${maxBytes} bytes. Send a smaller event to find out.`;
  const found = await firstMatch(settings, delivery, givenDigests(signature));
  return (
    lead +
    (found ??
      'none of the usual causes explains it. Most likely the secret belongs to another endpoint, ' +
        'project or environment: a webhook has its own secret, result callbacks are signed with the ' +
        'project’s (getSigningSecret). Else something on the way changed the body.')
  );
}

/** Digests in the header as hex → how they are written, whatever stands before them. */
function givenDigests(signature: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const token of signature
    .trim()
    .split(/[\s,]+/)
    .slice(0, 32)) {
    const text = token.replace(/^[A-Za-z0-9_-]{1,16}=(?=.)/, '');
    for (const digest of [token, text]) {
      if (/^(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(digest)) {
        found.set(digest.toLowerCase(), digest === digest.toLowerCase() ? 'hex' : 'upper-case hex');
      } else if (/^[\w+/-]{43}=?$|^[\w+/-]{86}(?:==)?$/.test(digest)) {
        const form = /[_-]/.test(digest)
          ? 'base64url'
          : digest.endsWith('=')
            ? 'base64'
            : 'unpadded base64';
        const standard = digest.replace(/-/g, '+').replace(/_/g, '/');
        found.set(toHex(fromBase64(standard)), form);
      }
    }
  }
  return found;
}

async function firstMatch(
  settings: Settings,
  { id, timestamp, body: bytes }: CheckInput,
  given: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  if (given.size === 0)
    return 'the signature header holds no digest at all. Is `scheme` the one of this deployment?';
  const keys = [...configuredKeys(settings.secrets), ...otherKeys(settings.secrets)];
  const contents = contentsOf(settings.scheme.signsEnvelope, id, timestamp);
  const own = contents.filter((content) => content.own);
  const exact: Variant = { bytes };
  const tries: [readonly Key[], readonly Content[], readonly Variant[]][] = [
    [keys, own, [exact]],
    [keys.filter(({ finding }) => !finding), own, bodyVariants(bytes)],
    [keys, contents, [exact]],
  ];
  for (const [someKeys, someContents, bodies] of tries)
    for (const key of someKeys)
      for (const content of someContents) {
        for (const body of bodies) {
          const { algorithm, head } = content;
          const form = given.get(
            await webCryptoDigest(algorithm, key.bytes, head, body.bytes, 'hex'),
          );
          if (form) return report(settings, key, content, body, form);
        }
      }
  return undefined;
}

function report(
  { scheme }: Settings,
  key: Key,
  content: Content,
  body: Variant,
  form: string,
): string {
  if (body.finding) return `it fits ${body.finding}. ${rawBody}`;
  const findings = [key.finding, content.own ? undefined : content.finding].filter(Boolean);
  if (findings.length > 0) return findings.join(' And ');
  return scheme.signsEnvelope
    ? `the digest is right, but written as ${form}. The sender, or a proxy, must send v1, + padded standard base64.`
    : `the digest is right, but written as ${content.algorithm} in ${form}. Set algorithm, encoding and prefix of plainHmac to that.`;
}

function contentsOf(
  envelope: boolean,
  id: string | undefined,
  timestamp: number | undefined,
): Content[] {
  const whole = `${id}.${timestamp}.`;
  const plain = 'it is signed over the body alone. Use scheme: ';
  const timed = 'it is signed over time and body, without the id: the scheme of another service.';
  return [
    {
      own: envelope,
      head: whole,
      algorithm: 'sha256',
      finding: 'it is signed over id, time and body. Use standardScheme(), the default.',
    },
    { own: !envelope, head: '', algorithm: 'sha256', finding: `${plain}plainHmac().` },
    {
      own: !envelope,
      head: '',
      algorithm: 'sha512',
      finding: `${plain}plainHmac({ algorithm: 'sha512' }).`,
    },
    { own: false, head: `${timestamp}.`, algorithm: 'sha256', finding: timed },
    { own: false, head: whole, algorithm: 'sha512', finding: 'it is signed with SHA-512.' },
  ];
}

function configuredKeys(secrets: readonly WebhookSecret[]): Key[] {
  const keys: Key[] = [];
  const asText =
    'the sender used the secret’s text as key, not the bytes that its base64 stands for';
  for (const secret of secrets) {
    keys.push({ bytes: typeof secret === 'string' ? fromBase64(secret.slice(6)) : secret });
    if (typeof secret === 'string') {
      const text = secret.slice('whsec_'.length);
      for (const [part, what] of [
        [secret, 'whole'],
        [text, 'without whsec_'],
        [`${secret}\n`, 'whole, with a line break behind it'],
        [`${text}\n`, 'without whsec_, with a line break behind it'],
      ] as const)
        keys.push({
          bytes: utf8(part),
          finding: `${asText} (${what}). Set it right there, or pass new TextEncoder().encode(…) of it as secret.`,
        });
      continue;
    }
    const text = String.fromCharCode(...secret);
    const finding = 'the secret’s bytes are a text, read as they are. ';
    if (text.trim() !== text)
      keys.push({
        bytes: utf8(text.trim()),
        finding: `${finding}It has white space around it: trim it.`,
      });
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(text.trim()))
      keys.push({
        bytes: fromBase64(text.trim()),
        finding: `${finding}The key is what its base64 stands for: pass 'whsec_' + it as a string.`,
      });
  }
  return keys.filter(({ bytes }) => bytes.length > 0);
}

/** Secrets of other variables of the environment, by name: another stage's or endpoint's. */
function otherKeys(configured: readonly WebhookSecret[]): Key[] {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const keys: Key[] = [];
  for (const [name, value] of Object.entries(process?.env ?? {}).slice(0, 1000)) {
    if (!value?.trim().startsWith('whsec_') || configured.includes(value.trim())) continue;
    const bytes = fromBase64(value.trim().slice(6));
    if (bytes.length > 0)
      keys.push({ bytes, finding: `the secret in ${name} fits: pass that one.` });
  }
  return keys.slice(0, 20);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
