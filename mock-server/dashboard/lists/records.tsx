import type { ApiKeyView, GenerationView, WebhookView } from '../../control/logs/logs.ts';
import type { Action } from '../components/actions.tsx';
import { money, toneOf } from '../components/format.tsx';
import { control } from '../state/control.ts';
import { api } from '../state/session.ts';
import type { ListSpec, Step } from './list-spec.ts';

const requestOf = (operation: string) => REQUEST_SCHEMAS[operation] ?? {};

function generationSteps({ createdAt, completedAt, status, error }: GenerationView): Step[] {
  const accepted: Step = { at: createdAt, tone: 'plain', title: 'accepted' };
  if (!completedAt) return [accepted];
  const detail = error && <p>{`${error.code}: ${error.message}`}</p>;
  return [accepted, { at: completedAt, tone: toneOf(status), title: status, detail }];
}

const generations: ListSpec<'generations'> = {
  name: 'generations',
  title: 'Generations',
  path: 'records/generations',
  one: 'Generation',
  columns: ['requestId', 'status', 'result', 'delivery', 'createdAt'],
  wide: 'result',
  narrow: 'delivery',
  statuses: ['processing', 'completed', 'failed', 'canceled'],
  empty: 'No generations. Start one on the page Try.',
  facts: ['status', 'model', 'usage', 'delivery', 'webhookUrl', 'readers'],
  show: {
    result: ({ result, prompt = '' }) => (result ?? prompt).slice(0, 120),
    usage: ({ usage }) => usage && `${usage.totalTokens} tokens`,
  },
  timeline: generationSteps,
  texts: ({ prompt, text, result }) => ({ Prompt: prompt, 'Text so far': text, Result: result }),
  actions: ({ requestId, status }) =>
    status === 'processing'
      ? [{ name: 'Cancel', run: () => api(({ content }) => content.cancel(requestId)) }]
      : [],
  delivered: true,
};

function keyActions({ id, status, name }: ApiKeyView): Action[] {
  if (status !== 'active') return [];
  return [
    {
      name: 'Rotate',
      schema: requestOf('regenerateApiKey'),
      run: (values) => api(({ apiKeys }) => apiKeys.regenerate(id, values)),
    },
    {
      name: 'Revoke',
      confirm: `Revoke the key ${name}? It stops working at once.`,
      run: () => api(({ apiKeys }) => apiKeys.revoke(id)),
    },
  ];
}

const keys: ListSpec<'apiKeys'> = {
  name: 'apiKeys',
  title: 'API keys',
  path: 'records/keys',
  one: 'API key',
  columns: ['name', 'status', 'hint', 'role', 'createdAt'],
  wide: 'hint',
  narrow: 'role',
  statuses: ['active', 'revoked', 'expired'],
  empty: 'No API keys. Create one on the page Try.',
  facts: ['status', 'hint', 'role', 'createdBy', 'expiresAt', 'lastUsedAt'],
  show: { hint: ({ hint }) => <code>{hint}</code> },
  actions: keyActions,
};

function registrationActions({ id, status, url, description }: WebhookView): Action[] {
  const next = status === 'enabled' ? 'disabled' : 'enabled';
  return [
    { name: 'Send a test', run: () => api(({ webhooks }) => webhooks.test(id)) },
    {
      name: next === 'enabled' ? 'Enable' : 'Disable',
      run: () => api(({ webhooks }) => webhooks.update(id, { status: next })),
    },
    {
      name: 'Edit',
      schema: requestOf('updateWebhook'),
      initial: { url, description: description ?? '' },
      run: (values) => api(({ webhooks }) => webhooks.update(id, values)),
    },
    {
      name: 'Rotate the secret',
      schema: requestOf('rotateWebhookSecret'),
      run: (values) => api(({ webhooks }) => webhooks.rotateSecret(id, values)),
    },
    {
      name: 'Delete',
      confirm: `Delete the registration for ${url}? Its pending deliveries are canceled.`,
      run: () => api(({ webhooks }) => webhooks.delete(id)),
    },
  ];
}

const registrations: ListSpec<'webhooks'> = {
  name: 'webhooks',
  title: 'Registrations',
  path: 'records/registrations',
  one: 'Registration',
  columns: ['event', 'status', 'url', 'createdAt'],
  wide: 'url',
  statuses: ['enabled', 'disabled'],
  empty: 'No registrations. Create one on the page Try.',
  facts: [
    ...(['status', 'url', 'disabledReason', 'failingSince'] as const),
    ...(['description', 'threshold', 'hasToken'] as const),
  ],
  actions: registrationActions,
  delivered: true,
};

const invoices: ListSpec<'invoices'> = {
  name: 'invoices',
  title: 'Invoices',
  path: 'records/invoices',
  one: 'Invoice',
  columns: ['number', 'status', 'failureReason', 'amountDue', 'periodEnd'],
  wide: 'failureReason',
  statuses: ['open', 'paid', 'payment_failed'],
  empty: 'No invoices. Advance the clock by a month, or trigger invoice_paid on Time and faults.',
  facts: ['status', 'amountDue', 'amountPaid', 'periodStart', 'periodEnd', 'failureReason'],
  show: {
    amountDue: ({ amountDue, currency }) => money(amountDue, currency),
    amountPaid: ({ amountPaid, currency }) => money(amountPaid, currency),
  },
  actions: ({ id, status }) =>
    status === 'paid'
      ? []
      : [
          { name: 'Pay', run: () => control.billing.pay(id) },
          {
            name: 'Fail the payment',
            schema: { properties: { reason: { type: 'string', default: 'card_declined' } } },
            run: ({ reason }) => control.billing.fail(id, reason as string | undefined),
          },
        ],
  delivered: true,
};

export const records = [generations, keys, registrations, invoices] as const;
