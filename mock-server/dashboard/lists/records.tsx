import type { ApiKeyView, GenerationView, WebhookView } from '../../control/logs/logs.ts';
import type { Action } from '../components/actions.tsx';
import { count, money, Status, Time } from '../components/format.tsx';
import type { Step } from '../components/timeline.tsx';
import { control } from '../state/control.ts';
import { api } from '../state/session.ts';
import type { ListSpec } from './list-spec.ts';

/** The schema of an operation's request, from the contract. */
const requestOf = (operation: string) => REQUEST_SCHEMAS[operation] ?? {};

function generationSteps({ createdAt, completedAt, status, error }: GenerationView): Step[] {
  const accepted: Step = { at: createdAt, tone: 'plain', title: 'accepted' };
  if (!completedAt) return [accepted];
  const tone = status === 'completed' ? 'good' : 'bad';
  const detail = error && <p>{`${error.code}: ${error.message}`}</p>;
  return [accepted, { at: completedAt, tone, title: status, detail }];
}

const generations: ListSpec<'generations'> = {
  name: 'generations',
  title: 'Generations',
  path: 'records/generations',
  one: 'Generation',
  id: ({ requestId }) => requestId,
  columns: [
    { name: 'Generation', cell: ({ requestId }) => <code>{requestId}</code> },
    { name: 'Status', cell: ({ status }) => <Status status={status} /> },
    {
      name: 'Text',
      size: 'wide',
      cell: ({ result, prompt = '' }) => (result ?? prompt).slice(0, 120),
    },
    { name: 'As', size: 'narrow', cell: ({ delivery }) => delivery },
    { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  statuses: ['processing', 'completed', 'failed', 'canceled'],
  empty: 'No generations. Start one on the page Try.',
  facts: ({ status, model, usage, delivery, webhookUrl, stream }) => ({
    Status: <Status status={status} />,
    Model: model,
    Tokens: usage && count(usage.totalTokens),
    'Returned as': delivery,
    Callback: webhookUrl && <span class="url">{webhookUrl}</span>,
    Readers:
      stream && `${stream.readers} now, ${stream.cuts} cut off, ${stream.resumptions} resumed`,
  }),
  timeline: generationSteps,
  texts: ({ prompt, text, result }) => ({
    Prompt: prompt,
    'Text so far': text,
    Result: result,
  }),
  actions: ({ requestId, status }) =>
    status === 'processing'
      ? [{ name: 'Cancel', run: () => api(({ content }) => content.cancel(requestId)) }]
      : [],
  deliveries: ({ requestId }) => ({ text: requestId }),
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
  id: ({ id }) => id,
  columns: [
    { name: 'Name', cell: ({ name }) => name },
    { name: 'Status', cell: ({ status }) => <Status status={status} /> },
    { name: 'Key', size: 'wide', cell: ({ hint }) => <code>{hint}</code> },
    { name: 'Role', size: 'narrow', cell: ({ role }) => role },
    { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  statuses: ['active', 'revoked', 'expired'],
  empty: 'No API keys. Create one on the page Try.',
  facts: ({ status, role, hint, createdBy, expiresAt, lastUsedAt }) => ({
    Status: <Status status={status} />,
    Key: <code>{hint}</code>,
    Role: role,
    'Created by': createdBy,
    Expires: expiresAt ? <Time at={expiresAt} ahead /> : 'never',
    'Last used': lastUsedAt ? <Time at={lastUsedAt} /> : 'never',
  }),
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
  id: ({ id }) => id,
  columns: [
    { name: 'Event', cell: ({ event }) => event },
    { name: 'Status', cell: ({ status }) => <Status status={status} /> },
    { name: 'To', size: 'wide', cell: ({ url }) => <span class="url">{url}</span> },
    { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  statuses: ['enabled', 'disabled'],
  empty: 'No registrations. Create one on the page Try.',
  facts: (row) => ({
    Status: <Status status={row.status} />,
    To: <span class="url">{row.url}</span>,
    'Disabled because': row.disabledReason,
    'Failing since': row.failingSince && <Time at={row.failingSince} />,
    Description: row.description,
    Threshold: row.threshold,
    'Has a token': row.hasToken ? 'yes' : 'no',
  }),
  actions: registrationActions,
  deliveries: ({ id }) => ({ text: id }),
};

const invoices: ListSpec<'invoices'> = {
  name: 'invoices',
  title: 'Invoices',
  path: 'records/invoices',
  one: 'Invoice',
  id: ({ id }) => id,
  columns: [
    { name: 'Number', cell: ({ number }) => number },
    { name: 'Status', cell: ({ status }) => <Status status={status} /> },
    { name: 'Why', size: 'wide', cell: ({ failureReason = '' }) => failureReason },
    { name: 'Amount', cell: ({ amountDue, currency }) => money(amountDue, currency) },
    { name: 'Period ends', cell: ({ periodEnd }) => <Time at={periodEnd} /> },
  ],
  statuses: ['open', 'paid', 'payment_failed'],
  empty: 'No invoices. Advance the clock by a month, or trigger invoice_paid on Time and faults.',
  facts: (row) => ({
    Status: <Status status={row.status} />,
    Due: money(row.amountDue, row.currency),
    Paid: money(row.amountPaid, row.currency),
    From: <Time at={row.periodStart} />,
    To: <Time at={row.periodEnd} />,
    Why: row.failureReason,
  }),
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
  deliveries: ({ id }) => ({ text: id }),
};

export const records = [generations, keys, registrations, invoices] as const;
