import type * as preact from 'preact';
import type { Webhook } from '../../../src/index.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';

const tones: Readonly<Record<string, Tone>> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  enabled: 'good',
  paid: 'good',
  processing: 'accent',
  pending: 'accent',
  open: 'accent',
  failed: 'bad',
  payment_failed: 'bad',
  revoked: 'bad',
  expired: 'warn',
  canceled: 'plain',
  disabled: 'warn',
};

/** A status in words; the color only repeats it. */
export function Status({ value }: { value: string }) {
  return <Badge tone={tones[value] ?? 'plain'}>{value.replaceAll('_', ' ')}</Badge>;
}

/** The status of a webhook: enabled, failing or disabled. */
export function WebhookStatus({ webhook: { status, failingSince } }: { webhook: Webhook }) {
  const failing = status === 'enabled' && failingSince !== undefined;
  return failing ? <Badge tone="warn">failing</Badge> : <Status value={status} />;
}

/** An HTTP status. */
export function HttpStatus({ status }: { status: number }) {
  return <Badge tone={toneOf(status)}>{status}</Badge>;
}

export function Badge({ tone, children }: { tone: Tone; children: preact.ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 200 && status < 300 ? 'good' : 'plain';
}
