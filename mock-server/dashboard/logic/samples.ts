type Json = Readonly<Record<string, unknown>>;

/** What to start from when an event is triggered with a payload of one's own; `{}` means the server's defaults. */
export function samplePayload(event: string, now: number): Json {
  const month = new Date(now);
  const start = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1));
  const end = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
  const samples: Readonly<Record<string, Json>> = {
    usage_threshold: { usage: 900_012, threshold: 900_000 },
    invoice_paid: { invoice: { amountDue: 4200 } },
    invoice_payment_failed: { invoice: { amountDue: 4200, failureReason: 'card_declined' } },
    data_updated: {
      source: 'crm',
      reason: 'ingestion_completed',
      records: 1280,
      updatedAt: new Date(now).toISOString(),
    },
  };
  const sample = samples[event] ?? {};
  if (event !== 'usage_threshold') return sample;
  return { ...sample, periodStart: start.toISOString(), periodEnd: end.toISOString() };
}
