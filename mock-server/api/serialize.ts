import type { components } from '../contract.ts';
import { statusOf } from '../domain/api-keys.ts';
import { timestamp } from '../domain/periods.ts';
import type { ApiKey, Attempt, Delivery, Generation, Project, Webhook } from '../domain/records.ts';
import type { UsageView } from '../domain/usage.ts';
import type { OperationResult } from './call.ts';

type Wire = components['schemas'];

/** `JSON.stringify` leaves out what is undefined. */
type Loose<T> = { [K in keyof T]: T[K] | undefined };

const optional = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : timestamp(at);

export function generationOf(row: Generation): Loose<Wire['Generation']> {
  return {
    requestId: row.id,
    status: row.status,
    model: row.model,
    result: row.result,
    usage: row.usage,
    error: row.error,
    webhookUrl: row.webhookUrl,
    metadata: row.metadata,
    createdAt: timestamp(row.createdAt),
    completedAt: optional(row.completedAt),
  };
}

/** The response to the call that started a generation, unless it was a stream: the callback's receipt, or the result. */
export function responseOf(row: Generation): OperationResult {
  const { id, delivery } = row;
  if (delivery !== 'callback') return { status: 200, body: generationOf(row), generation: id };
  return { status: 202, body: { status: 'processing', requestId: id }, generation: id };
}

export function apiKeyOf(row: ApiKey, now: number): Loose<Wire['ApiKey']> {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    hint: row.hint,
    organization: row.organization,
    project: row.project,
    status: statusOf(row, now),
    createdAt: timestamp(row.createdAt),
    createdBy: row.createdBy,
    expiresAt: row.expiresAt === undefined ? null : timestamp(row.expiresAt),
    lastUsedAt: optional(row.lastUsedAt),
    revokedAt: optional(row.revokedAt),
    regeneratedFrom: row.regeneratedFrom,
  };
}

export function webhookOf(row: Webhook): Loose<Wire['Webhook']> {
  return {
    id: row.id,
    event: row.event,
    url: row.url,
    description: row.description,
    threshold: row.threshold,
    status: row.status,
    disabledReason: row.disabledReason,
    hasToken: row.token !== undefined,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    failingSince: optional(row.failingSince),
  };
}

/** Includes the newest secret. Only responses that disclose it may use this. */
export function webhookWithSecretOf(row: Webhook): Loose<Wire['WebhookWithSecret']> {
  return { ...webhookOf(row), secret: row.secrets[0]?.secret };
}

export function deliveryOf(row: Delivery): Loose<Wire['Delivery']> {
  return {
    id: row.id,
    messageId: row.messageId,
    webhookId: row.webhookId,
    requestId: row.requestId,
    event: row.event,
    url: row.url,
    status: row.status,
    createdAt: timestamp(row.createdAt),
    nextAttemptAt: optional(row.nextAttemptAt),
    attempts: row.attempts.map(attemptOf),
  };
}

/** One attempt, without the headers that signed it. */
export function attemptOf(row: Attempt): Wire['DeliveryAttempt'] {
  const { at, status, durationMs, error, reason, response, responseHeaders } = row;
  return {
    at: timestamp(at),
    durationMs,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(reason !== undefined && { reason }),
    ...(response !== undefined && { response }),
    ...(responseHeaders && { headers: { ...responseHeaders } }),
  };
}

export function usageViewOf({ organization, period, used, requests }: UsageView): Wire['Usage'] {
  return {
    organization: organization.id,
    periodStart: timestamp(period.start),
    periodEnd: timestamp(period.end),
    used,
    quota: organization.quota,
    remaining: Math.max(0, organization.quota - used),
    requests,
  };
}

export function signingSecretOf({ secrets }: Project): Loose<Wire['SigningSecret']> {
  const [newest] = secrets;
  return { secret: newest?.secret, createdAt: optional(newest?.createdAt) };
}
