/** The contract's example of each event, as the source of `src/generated/samples.ts`. */
export function samplesSource({ components: { examples, schemas } }) {
  const { CallbackCompleted, CallbackFailed, ...others } = examples;
  const events = Object.entries(others).filter(([name]) => name.endsWith('Event'));
  const ofEvents = schemas.WebhookEvent.enum.map((event) => [
    event,
    events.find(([, { value }]) => value.event === event)[1].value,
  ]);
  const samples = {
    generation_completed: CallbackCompleted.value,
    generation_failed: CallbackFailed.value,
    ...Object.fromEntries(ofEvents),
  };
  return `import type { components } from './openapi.ts';

type Schemas = components['schemas'];

/** The contract's example of each event. */
export const samples: {
  readonly generation_completed: Schemas['GenerationCompletedCallback'];
  readonly generation_failed: Schemas['GenerationFailedCallback'];
  readonly usage_threshold: Schemas['UsageThresholdEvent'];
  readonly invoice_paid: Schemas['InvoicePaidEvent'];
  readonly invoice_payment_failed: Schemas['InvoicePaymentFailedEvent'];
  readonly data_updated: Schemas['DataUpdatedEvent'];
} = ${JSON.stringify(samples, undefined, 2)};
`;
}
