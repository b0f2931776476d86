import { HttpStatus, Status } from '../components/badge.tsx';
import { Chart } from '../components/chart.tsx';
import { Code } from '../components/code.tsx';
import { CopyButton } from '../components/copy.tsx';
import { Page } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { Time } from '../components/time.tsx';
import { thresholdsOf, UsageMeter } from '../components/usage-meter.tsx';
import { isAbout } from '../components/use-feed.ts';
import { useValue } from '../components/use-value.ts';
import { perMinute } from '../logic/per-minute.ts';
import { href } from '../router.ts';
import { serverNow } from '../state/clock.ts';
import { origin, type RequestEntry, readLog, type SentDelivery } from '../state/control.ts';
import { client, dashboardUser, isOurs, role, tenant } from '../state/session.ts';

const minutes = 30;

export function OverviewPage() {
  const organization = tenant.value?.organization;
  const requests = useValue(
    async () => {
      const { data } = await readLog('requests', {});
      return data.filter((row) => isOurs(row) && row.actor !== dashboardUser);
    },
    ({ requests }) => requests.some((row) => row.actor !== dashboardUser),
  );
  const deliveries = useValue(
    async () => (await readLog('deliveries', organization ? { organization } : {})).data,
    isAbout('delivery.'),
  );
  const sent = requests.value ?? [];
  const posted = deliveries.value ?? [];
  return (
    <Page
      title="Overview"
      narrow
      actions={
        <span class="row">
          <span class="muted small">Base URL</span>
          <code>{origin}</code>
          <CopyButton text={origin} what="the base URL" />
        </span>
      }
    >
      <UsageCard />
      <Problem error={requests.error ?? deliveries.error} />
      {requests.value && deliveries.value && sent.length === 0 && posted.length === 0 && <Start />}
      <div class="grid">
        <RequestsCard rows={sent} />
        <DeliveriesCard rows={posted} />
      </div>
      <div class="grid">
        <Problems rows={sent.filter((row) => row.status >= 400).slice(0, 8)} />
        <Failures rows={posted.filter(isFailing).slice(0, 8)} />
      </div>
    </Page>
  );
}

function isFailing({ status, attempts }: SentDelivery): boolean {
  return status === 'failed' || (status === 'pending' && attempts.length > 0);
}

function UsageCard() {
  const usage = useValue(async () => client.usage.get(), isAbout('generation.'));
  const webhooks = useValue(
    async () => (role.value === 'admin' ? (await client.webhooks.list({ limit: 100 })).data : []),
    isAbout('webhook.'),
  );
  return (
    <section class="card" aria-label="Usage">
      <header>
        <h2>Usage this month</h2>
      </header>
      <Problem error={usage.error} />
      {usage.value && (
        <UsageMeter usage={usage.value} thresholds={thresholdsOf(webhooks.value ?? [])} />
      )}
    </section>
  );
}

function RequestsCard({ rows }: { rows: readonly RequestEntry[] }) {
  const activity = rows.map((row) => ({ at: Date.parse(row.at), bad: row.status >= 400 }));
  return (
    <section class="card" aria-label="Requests per minute">
      <header>
        <h2>Requests per minute</h2>
        <a class="small" href={href('requests')}>
          All requests
        </a>
      </header>
      <Chart
        label="Requests"
        minutes={perMinute(activity, serverNow.value, minutes)}
        names={['succeeded', 'rejected or failed']}
      />
    </section>
  );
}

function DeliveriesCard({ rows }: { rows: readonly SentDelivery[] }) {
  const activity = rows.flatMap((row) =>
    row.attempts.map((attempt) => ({
      at: Date.parse(attempt.at),
      bad: attempt.error !== undefined,
    })),
  );
  return (
    <section class="card" aria-label="Delivery attempts per minute">
      <header>
        <h2>Delivery attempts per minute</h2>
        <a class="small" href={href('deliveries')}>
          All deliveries
        </a>
      </header>
      <Chart
        label="Delivery attempts"
        minutes={perMinute(activity, serverNow.value, minutes)}
        names={['delivered', 'failed']}
      />
    </section>
  );
}

function Problems({ rows }: { rows: readonly RequestEntry[] }) {
  return (
    <section class="card" aria-label="Latest problems">
      <header>
        <h2>Latest problems</h2>
        <a class="small" href={href('requests', undefined, { problems: '' })}>
          All problems
        </a>
      </header>
      {rows.length === 0 && <p class="muted small">No rejected requests.</p>}
      <ul class="lines">
        {rows.map((row) => (
          <li key={row.id}>
            <HttpStatus status={row.status} />
            <a href={href('requests', row.id)}>
              {row.problem?.code ?? ''} <code class="muted">{row.path}</code>
            </a>
            <Time at={row.at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Failures({ rows }: { rows: readonly SentDelivery[] }) {
  return (
    <section class="card" aria-label="Failing deliveries">
      <header>
        <h2>Failing deliveries</h2>
      </header>
      {rows.length === 0 && <p class="muted small">No failing deliveries.</p>}
      <ul class="lines">
        {rows.map((row) => (
          <li key={row.id}>
            <Status value={row.status} />
            <a href={href('deliveries', row.id)}>
              {row.event} <code class="muted">{row.url}</code>
            </a>
            <Time at={row.attempts.at(-1)?.at ?? row.createdAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Start() {
  const command = `curl ${origin}/api/ai/content/generate \\
  -H "X-API-Key: $CONTENTGEN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt":"A haiku isAbout TCP"}'`;
  return (
    <section class="card" aria-label="Start here">
      <header>
        <h2>Start here</h2>
      </header>
      <p class="muted">
        This server behaves like the real service. <a href={href('keys')}>Create a key</a>, point
        your application at <code>{origin}</code>, or try it on{' '}
        <a href={href('generate')}>Generate</a>. Requests and deliveries appear here as they happen.
      </p>
      <Code text={command} what="the command" />
    </section>
  );
}
