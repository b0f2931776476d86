import { type HmacAlgorithm, prepareHmac, toHex } from '../signing/hmac.ts';
import type { CheckInput } from '../signing/scheme.ts';
import type { Settings } from './defaults.ts';
import { type BodyVariant, bodyVariants, damageOf } from './diagnose-body.ts';
import { configuredKeys, environmentKeys, fromBase64, type KeyVariant } from './diagnose-keys.ts';

/** What might have been signed. */
interface ContentVariant {
  /** Whether the configured scheme signs this. */
  readonly expected: boolean;
  readonly finding: string;
  readonly head: string;
  readonly algorithm: HmacAlgorithm;
}

/** Larger bodies are not diagnosed: a diagnosis hashes the body up to a few hundred times. */
const maxBytes = 65_536;

const rawBody = [
  'Pass the bytes as received:',
  '  Express   app.post(path, toNodeHandler(handler)) before any express.json(), or express.json({ verify: (req, _res, buf) => { req.rawBody = buf; } })',
  '  Next.js   app router: the handler itself; pages router: export const config = { api: { bodyParser: false } }',
  '  Fastify   app.register(fastifyWebhooks, { path, handler })',
  "  NestJS    NestFactory.create(App, { rawBody: true }), app.useBodyParser('json', { limit: '1mb' }), then toNodeHandler(handler)(request, response)",
  '  Koa       toNodeHandler(handler)(ctx.req, ctx.res), before koa-bodyparser',
  '  Lambda    toLambdaHandler(handler), which also decodes isBase64Encoded',
  '  Hono, Workers, Deno, Bun   the Request itself: handler(c.req.raw)',
].join('\n');

/**
 * Finds the usual mistake that explains a signature mismatch, as text for the log. It names causes, variables
 * and lengths, never a secret, signature or body.
 */
export async function diagnose(settings: Settings, delivery: CheckInput): Promise<string> {
  const size = delivery.body.length;
  const cause =
    size > maxBytes
      ? (broken(delivery.body) ??
        `not diagnosed, because the body is over ${maxBytes} bytes. Send a smaller event to find the cause.`)
      : await findCause(settings, delivery);
  return `Failed to verify the webhook signature (${settings.scheme.name} scheme, ${size} bytes): ${cause}`;
}

async function findCause(settings: Settings, delivery: CheckInput): Promise<string> {
  const { id, timestamp, body, signature } = delivery;
  const given = givenDigests(signature);
  if (given.size === 0)
    return 'the signature header contains no digest. Check that `scheme` is the one this deployment uses.';
  const configured = configuredKeys(settings.secrets);
  const keys = [...configured, ...environmentKeys(settings.secrets)];
  const contents = contentVariants(settings.scheme.signsEnvelope, id, timestamp);
  const expected = contents.filter((content) => content.expected);
  const asReceived: BodyVariant = { bytes: body };
  const unchangedKeys = configured.filter(({ finding }) => !finding);
  return (
    (await findMatch(settings, given, keys, expected, [asReceived])) ??
    (await findMatch(settings, given, unchangedKeys, expected, bodyVariants(body))) ??
    (await findMatch(settings, given, keys, contents, [asReceived])) ??
    broken(body) ??
    'no usual mistake explains it. Most likely the secret belongs to another endpoint, project or environment: ' +
      'each webhook has its own secret, and result callbacks are signed with the secret of the project ' +
      '(getSigningSecret). If the secret is right, something changed the body on its way here.'
  );
}

/** A body that is visibly broken cannot match, whatever the secret. */
function broken(body: Uint8Array): string | undefined {
  const damage = damageOf(body);
  return damage && `${damage} Mend that before you look at the secret. ${rawBody}`;
}

/** Digests in the header, as hex → how they are written, whatever precedes them. */
function givenDigests(signature: string): Map<string, string> {
  const found = new Map<string, string>();
  const tokens = signature.trim().split(/[\s,]+/);
  for (const token of tokens.slice(0, 32)) {
    const withoutName = token.replace(/^[A-Za-z0-9_-]{1,16}=(?=.)/, '');
    for (const text of [token, withoutName]) {
      if (/^(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)) {
        found.set(text.toLowerCase(), text === text.toLowerCase() ? 'hex' : 'upper-case hex');
      } else if (/^[\w+/-]{43}=?$|^[\w+/-]{86}(?:==)?$/.test(text)) {
        const base64 = text.replace(/-/g, '+').replace(/_/g, '/');
        found.set(toHex(fromBase64(base64)), base64Name(text));
      }
    }
  }
  return found;
}

function base64Name(text: string): string {
  if (/[_-]/.test(text)) return 'base64url';
  return text.endsWith('=') ? 'base64' : 'unpadded base64';
}

/** Describes the first combination of key, content and body whose digest is in the header. */
async function findMatch(
  { scheme }: Settings,
  given: ReadonlyMap<string, string>,
  keys: readonly KeyVariant[],
  contents: readonly ContentVariant[],
  bodies: readonly BodyVariant[],
): Promise<string | undefined> {
  for (const key of keys)
    for (const content of contents) {
      const hmac = prepareHmac(content.algorithm, key.bytes);
      for (const body of bodies) {
        const digest = await hmac.digest(content.head, body.bytes, 'hex');
        const form = given.get(digest);
        if (form === undefined) continue;
        if (body.finding) return `${body.finding} after it was signed. ${rawBody}`;
        return (
          describeDifference(key, content) ??
          describeForm(scheme.signsEnvelope, form, content.algorithm)
        );
      }
    }
  return undefined;
}

function describeDifference(key: KeyVariant, content: ContentVariant): string | undefined {
  const findings = [key.finding, content.expected ? undefined : content.finding];
  return findings.filter(Boolean).join(' Also, ') || undefined;
}

function describeForm(signsEnvelope: boolean, form: string, algorithm: HmacAlgorithm): string {
  return signsEnvelope
    ? `the digest is right, but written as ${form}. The sender must send v1, + padded standard base64; check the proxies too.`
    : `the digest is right, but written as ${algorithm} in ${form}. Set algorithm, encoding and format of the scheme in the deployment file to match.`;
}

function contentVariants(
  signsEnvelope: boolean,
  id: string | undefined,
  timestamp: number | undefined,
): ContentVariant[] {
  const envelope = `${id}.${timestamp}.`;
  return [
    {
      expected: signsEnvelope,
      head: envelope,
      algorithm: 'sha256',
      finding: 'the signature covers id, time and body. Use standardScheme(), the default.',
    },
    {
      expected: !signsEnvelope,
      head: '',
      algorithm: 'sha256',
      finding:
        "the signature covers only the body. Set scheme: { type: 'hmac' } in the deployment file.",
    },
    {
      expected: !signsEnvelope,
      head: '',
      algorithm: 'sha512',
      finding:
        "the signature covers only the body. Set scheme: { type: 'hmac', algorithm: 'sha512' } in the deployment file.",
    },
    {
      expected: false,
      head: `${timestamp}.`,
      algorithm: 'sha256',
      finding:
        'the signature covers time and body, but not the id. That is the scheme of another service.',
    },
    {
      expected: false,
      head: envelope,
      algorithm: 'sha512',
      finding: 'the delivery is signed with SHA-512. The sender must use SHA-256.',
    },
  ];
}
