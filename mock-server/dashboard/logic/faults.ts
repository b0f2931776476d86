import type { OperationId } from '../../../src/index.ts';
import type { FaultEffect } from '../../domain/fault-effects.ts';

interface EffectForm {
  readonly name: string;
  /** Set for effects that take a number. */
  readonly number?: { readonly label: string; readonly start: number };
}

export const effectForms: Readonly<Record<FaultEffect, EffectForm>> = {
  status: { name: 'respond with a status', number: { label: 'Status', start: 503 } },
  delay: { name: 'delay', number: { label: 'Milliseconds', start: 2000 } },
  drop: { name: 'drop the connection' },
  loseAnswer: { name: 'lose the response' },
  reorder: { name: 'deliver after the next one' },
  truncate: { name: 'truncate the response', number: { label: 'Bytes to keep', start: 20 } },
  cutStream: { name: 'cut the event stream', number: { label: 'Events to keep', start: 3 } },
  stall: { name: 'never finish' },
  malformed: { name: 'respond with malformed JSON' },
  duplicate: { name: 'send more than once', number: { label: 'Copies', start: 2 } },
  badSignature: { name: 'bad signature' },
  staleTimestamp: { name: 'old timestamp', number: { label: 'Seconds', start: 600 } },
};

/** `{ status: 503 }`, `{ drop: true }`. The server checks that the effect suits the target. */
export function effectOf<Effect extends object>(name: FaultEffect, value: number): Effect {
  const effect = name === 'cutStream' ? { after: value } : value;
  return { [name]: effectForms[name].number ? effect : true } as unknown as Effect;
}

/** `respond with a status: 503`. */
export function describeEffect(effect: Readonly<Record<string, unknown>>): string {
  return Object.entries(effect)
    .map(([name, value]) => {
      const known = effectForms[name as FaultEffect]?.name ?? name;
      const shown = name === 'cutStream' ? Object(value).after : value;
      return value === true ? known : `${known}: ${String(shown)}`;
    })
    .join(', ');
}

/** A record, so that a missing operation fails to compile. */
const operations: Readonly<Record<OperationId, true>> = {
  generateContent: true,
  listGenerations: true,
  getGeneration: true,
  cancelGeneration: true,
  createApiKey: true,
  createApiKeyAlias: true,
  listApiKeys: true,
  getApiKey: true,
  revokeApiKey: true,
  regenerateApiKey: true,
  createWebhook: true,
  listWebhooks: true,
  getWebhook: true,
  updateWebhook: true,
  deleteWebhook: true,
  rotateWebhookSecret: true,
  testWebhook: true,
  listDeliveries: true,
  listCallbackDeliveries: true,
  redeliver: true,
  redeliverFailed: true,
  redeliverFailedCallbacks: true,
  getSigningSecret: true,
  rotateSigningSecret: true,
  getUsage: true,
};

export const operationNames: readonly string[] = Object.keys(operations);
