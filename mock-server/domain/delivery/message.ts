import type { Context } from '../context.ts';
import type { OutboundOutcome, OutboundRequest } from '../ports.ts';
import type { Delivery, Fault } from '../records.ts';
import type { Stop } from '../stop.ts';
import type { Target } from './target.ts';
import { toBytes } from './to-bytes.ts';

/** How a test has one attempt go wrong. */
export interface DeliveryFault {
  /** The message is lost on its way. */
  readonly drop?: boolean;
  /** Milliseconds on the server's clock before it is sent. */
  readonly delay?: number;
  /** Further copies of the same message. */
  readonly duplicate?: number;
  /** Signed with a secret that nobody has. */
  readonly badSignature?: boolean;
  /** Seconds that its timestamp lies in the past (or, negative, in the future). */
  readonly staleTimestamp?: number;
}

/** What was sent with a message to prove where it comes from, and what came of it. */
export interface Sent {
  readonly outcome: OutboundOutcome;
  readonly signature: Signature;
}

type Signature = Readonly<Record<string, string>>;

/** Reads a fault's effect; members of another type have none. */
export function readDeliveryFault(effect: Fault['effect']): DeliveryFault {
  const number = (name: string) => {
    const value = effect[name];
    return typeof value === 'number' && Number.isFinite(value) ? { [name]: value } : {};
  };
  return {
    drop: effect['drop'] === true,
    badSignature: effect['badSignature'] === true,
    ...number('delay'),
    ...number('duplicate'),
    ...number('staleTimestamp'),
  };
}

/** Whole Unix seconds of the length that a signature can carry, however far a fault moves them. */
function timestampOf(seconds: number): number {
  return Math.min(Math.max(Math.floor(seconds), 1), 999_999_999_999);
}

const nobodysSecret = `whsec_${'A'.repeat(43)}=`;

/** Signs the frozen body for this attempt and sends it; the first copy's outcome counts. */
export async function sendMessage(
  { ports, settings }: Context,
  delivery: Delivery,
  target: Target,
  fault: DeliveryFault | undefined,
  deadline: Stop,
): Promise<Sent> {
  const body = toBytes(delivery.body);
  const signed = ports.sign({
    id: delivery.messageId,
    timestamp: timestampOf(ports.clock.wall() / 1000 - (fault?.staleTimestamp ?? 0)),
    body,
    secrets: fault?.badSignature ? [nobodysSecret] : target.secrets,
  });
  // Signed at once where the platform can: waiting for nothing costs a turn.
  const signature = typeof signed['then'] === 'function' ? await signed : (signed as Signature);
  const headers: Record<string, string> = { ...signature };
  headers['content-type'] = 'application/json';
  headers['user-agent'] = settings.userAgent;
  if (target.token !== undefined) headers[settings.tokenHeader] = target.token;
  if (fault?.drop) return { outcome: { error: 'connection' }, signature };
  const request: OutboundRequest = { url: target.url, headers, body };
  const outcome = await ports.transport(request, deadline);
  for (let copy = 0; copy < (fault?.duplicate ?? 0) && !deadline.aborted; copy += 1) {
    await ports.transport(request, deadline);
  }
  return { outcome, signature };
}
