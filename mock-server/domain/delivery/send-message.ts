import type { Context } from '../context.ts';
import type { DeliveryEffects } from '../fault-effects.ts';
import { findProject } from '../organizations.ts';
import type { OutboundOutcome, OutboundRequest } from '../ports.ts';
import type { AttemptCopy, Delivery } from '../records.ts';
import { activeSecrets, writeSecret } from '../signing-secrets.ts';

/** Whose slot an attempt takes. */
export interface Endpoint {
  /** Scheme, host and port: what is unresponsive as a whole. */
  readonly origin: string;
  /** A registration, or for result callbacks a project and an origin. */
  readonly key: string;
  readonly isRetry: boolean;
}

/** Where an attempt goes and what signs it, as of now. */
export interface Target {
  readonly url: string;
  /** Newest first. */
  readonly secrets: readonly string[];
  readonly token?: string;
  readonly endpoint: Endpoint;
}

/** Looks up the delivery's current target; undefined if its registration is gone or disabled. */
export function findTarget(context: Context, delivery: Delivery): Target | undefined {
  const { project, webhookId, attempts, attemptsBefore = 0 } = delivery;
  const now = context.ports.clock.now();
  const isRetry = attempts.length > attemptsBefore;
  if (webhookId === undefined) {
    const { url } = delivery;
    const origin = originOf(url);
    const { secrets } = findProject(context, project);
    return {
      url,
      secrets: activeSecrets(secrets, now),
      endpoint: { origin, key: `${project} ${origin}`, isRetry },
    };
  }
  const webhook = context.store.table('webhooks').get(webhookId);
  if (webhook?.status !== 'enabled') return undefined;
  const { url, token, secrets } = webhook;
  return {
    url,
    secrets: activeSecrets(secrets, now),
    ...(token !== undefined && { token }),
    endpoint: { origin: originOf(url), key: webhookId, isRetry },
  };
}

/** Scheme, host and port of a URL that has been checked. */
const originOf = (url: string): string => /^[^:]+:\/*[^/\\?#]*/.exec(url)?.[0].toLowerCase() ?? url;

export type DeliveryFault = Partial<DeliveryEffects>;

/** The outcome of an attempt, the headers that signed it, and what became of its copies. */
export interface Sent {
  readonly outcome: OutboundOutcome;
  readonly signature: Signature;
  readonly copies?: readonly AttemptCopy[];
}

type Signature = Readonly<Record<string, string>>;

const dropped = { error: 'connection', reason: 'A fault dropped the message.' } as const;
const lostResponse = {
  error: 'reset',
  reason: 'A fault lost the response; the receiver has handled the message.',
} as const;

let encoder: TextEncoder | undefined;

/** Signs the frozen body for this attempt and sends it. What becomes of copies does not decide the outcome. */
export async function sendMessage(
  { ports, settings }: Context,
  delivery: Delivery,
  target: Target,
  fault: DeliveryFault | undefined,
  signal: AbortSignal,
): Promise<Sent> {
  encoder ??= new TextEncoder();
  const body = encoder.encode(delivery.body);
  const signed = ports.sign({
    id: delivery.messageId,
    timestamp: signableSeconds(ports.clock.wall() / 1000 - (fault?.staleTimestamp ?? 0)),
    // A public key's signature has no secret that could be wrong, so the signed body is.
    body: fault?.badSignature ? encoder.encode(`${delivery.body} `) : body,
    secrets: fault?.badSignature
      ? [writeSecret(new Uint8Array(32), settings.secretEncoding)]
      : target.secrets,
  });
  // Awaiting a signature that is already there would cost a turn of the event loop.
  const signature = typeof signed['then'] === 'function' ? await signed : (signed as Signature);
  const headers: Record<string, string> = { ...signature };
  headers['content-type'] = 'application/json';
  headers['user-agent'] = settings.userAgent;
  if (target.token !== undefined)
    headers[settings.tokenHeader] = settings.tokenPrefix + target.token;
  Object.assign(headers, delivery.headers);
  if (fault?.drop) return { outcome: dropped, signature };
  const request: OutboundRequest = { url: target.url, headers, body };
  const outcome = await ports.transport(request, { signal });
  const copies: AttemptCopy[] = [];
  while (copies.length < (fault?.duplicate ?? 0) && !signal.aborted) {
    const copy = await ports.transport(request, { signal });
    copies.push('error' in copy ? { error: copy.error } : { status: copy.status });
  }
  const reached = fault?.loseAnswer && 'status' in outcome;
  return { outcome: reached ? lostResponse : outcome, signature, copies };
}

/** Whole Unix seconds within the digits that a signature can carry, however far a fault moves them. */
function signableSeconds(seconds: number): number {
  return Math.min(Math.max(Math.floor(seconds), 1), 999_999_999_999);
}
