import { everyItem, patiently, type ReconcileClient, type ReconcileDelivery } from './client.ts';

/** What a receiver might have missed. */
export interface Missed {
  readonly createdAt: number;
  /** The `webhook-id`; for a callback that was never recorded, the id that receivers give it. */
  readonly messageId: string;
  /** Only for a result callback. */
  readonly requestId?: string;
  /** Missing if the service has no delivery for it. */
  readonly deliveryId?: string;
  /** Its registration is disabled, so it cannot be redelivered. */
  readonly isDisabled?: boolean;
}

/** What was found at the service. */
export interface Findings {
  checked: number;
  readonly missed: Missed[];
  /** When the oldest delivery still in flight was created. */
  pendingSince: number;
  /** The registrations that are disabled, or were: deliveries of theirs were canceled. */
  readonly interrupted: Set<string>;
}

/** Walks generations and deliveries since a time, and collects what was not delivered, oldest first. */
export async function findMissed(
  { content, webhooks }: ReconcileClient,
  since: string,
  options: { readonly signal?: AbortSignal },
): Promise<Findings> {
  const findings: Findings = {
    checked: 0,
    missed: [],
    pendingSince: Number.POSITIVE_INFINITY,
    interrupted: new Set(),
  };
  const { signal } = options;
  // Generations first: one that ends in between has a delivery by the time deliveries are listed.
  const ended = new Map<string, Missed>();
  const generations = everyItem((page) => content.list({ ...page, since }, options), signal);
  for await (const { requestId, status, webhookUrl, createdAt } of generations) {
    if (!webhookUrl || !/^(completed|failed)$/.test(status)) continue;
    const messageId = `${requestId}:${status}`;
    ended.set(requestId, { messageId, requestId, createdAt: Date.parse(createdAt) });
  }
  const callbacks = everyItem(
    (page) => webhooks.listCallbackDeliveries({ ...page, since }, options),
    signal,
  );
  for await (const delivery of callbacks) {
    if (delivery.requestId) ended.delete(delivery.requestId);
    judge(findings, delivery, {});
  }
  for (const [requestId, generation] of ended) {
    const find = () => webhooks.listCallbackDeliveries({ requestId, limit: 1 }, options);
    const { data } = await patiently(find, signal);
    if (data[0]) judge(findings, data[0], {});
    else findings.missed.push(generation);
  }
  for await (const { id, status } of everyItem((page) => webhooks.list(page, options), signal)) {
    const deliveries = everyItem(
      (page) => webhooks.listDeliveries(id, { ...page, since }, options),
      signal,
    );
    const isDisabled = status !== 'enabled';
    if (isDisabled) findings.interrupted.add(id);
    for await (const delivery of deliveries) {
      if (delivery.status === 'canceled') findings.interrupted.add(id);
      judge(findings, delivery, { isDisabled });
    }
  }
  findings.missed.sort((a, b) => a.createdAt - b.createdAt);
  return findings;
}

/** A delivery was missed if it has failed, was canceled, or is waiting for a retry. */
function judge(
  findings: Findings,
  { id, messageId, requestId, status, createdAt, attempts }: ReconcileDelivery,
  facts: Pick<Missed, 'isDisabled'>,
): void {
  findings.checked += 1;
  const time = Date.parse(createdAt);
  if (/^(failed|canceled)$/.test(status) || (status === 'pending' && attempts.length > 0)) {
    const callback = requestId === undefined ? {} : { requestId };
    findings.missed.push({ ...facts, ...callback, messageId, deliveryId: id, createdAt: time });
  } else if (status === 'pending') findings.pendingSince = Math.min(findings.pendingSince, time);
}
