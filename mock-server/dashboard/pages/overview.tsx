import type { ActivityView } from '../../index.ts';
import { HttpStatus } from '../components/badge.tsx';
import { Chart } from '../components/chart.tsx';
import { Code } from '../components/code.tsx';
import { ConnectCard } from '../components/connect.tsx';
import { DeliveryLines } from '../components/delivery-lines.tsx';
import { Page } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { Middle } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { thresholdsOf, UsageMeter } from '../components/usage-meter.tsx';
import { isAbout } from '../components/use-list.ts';
import { useValue } from '../components/use-value.ts';
import { count } from '../logic/format.ts';
import { href } from '../router.ts';
import { serverNow } from '../state/clock.ts';
import { control, origin } from '../state/control.ts';
import { actorName } from '../state/names.ts';
import { client, dashboardUser, role, tenant } from '../state/session.ts';

const minuteMs = 60_000;

/** What the page shows: this organization, without the page's own calls. */
const scope = () => ({
  ...(tenant.peek() && { organization: String(tenant.peek()?.organization) }),
  exceptActor: dashboardUser,
});

export function OverviewPage() {
  const activity = useValue(
    () => control.activity(scope()),
    ({ requests, events }) =>
      requests.some(({ actor }) => actor !== dashboardUser) ||
      events.some(({ type }) => type.startsWith('delivery.')),
    // The charts move on every minute.
    String(Math.floor(serverNow.value / minuteMs)),
  );
  const { value } = activity;
  const unused = value?.requests.total === 0 && value.deliveries.total === 0;
  return (
    <Page title="Overview" narrow>
      <Problem error={activity.error} />
      {value && <ConnectCard open={unused} />}
      {unused && <Start />}
      {value && <Counts activity={value} />}
      <UsageCard />
      {value && !unused && (
        <>
          <div class="grid">
            <ChartCard
              title="Requests per minute"
              label="Requests"
              minutes={value.requests.minutes}
              names={['succeeded', 'rejected or failed']}
            />
            <ChartCard
              title="Delivery attempts per minute"
              label="Delivery attempts"
              minutes={value.attempts.minutes}
              names={['delivered', 'failed']}
            />
          </div>
          <div class="grid">
            <Problems />
            <Failures failing={value.deliveries.failed + value.deliveries.retrying} />
          </div>
        </>
      )}
    </Page>
  );
}

/** Totals of what the server has stored; each links to its rows. */
function Counts({ activity: { requests, deliveries } }: { activity: ActivityView }) {
  const tiles = [
    ['Requests', requests.total, href('requests'), ''],
    ['Problems', requests.bad, href('requests', undefined, { status: 'problem' }), 'bad'],
    ['Deliveries', deliveries.total, href('deliveries'), ''],
    ['Delivered', deliveries.delivered, byStatus('delivered'), 'good'],
    ['Retrying', deliveries.retrying, byStatus('retrying'), 'warn'],
    ['Failed', deliveries.failed, byStatus('failed'), 'bad'],
  ] as const;
  return (
    <ul class="tiles">
      {tiles.map(([name, value, address, tone]) => (
        <li key={name}>
          <a class="tile" href={address} data-tone={value > 0 ? tone : ''}>
            <small>{name}</small>
            <strong>{count(value)}</strong>
          </a>
        </li>
      ))}
    </ul>
  );
}

const byStatus = (status: string) => href('deliveries', undefined, { status });

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

interface ChartCardProps extends Pick<Parameters<typeof Chart>[0], 'label' | 'names'> {
  readonly title: string;
  readonly minutes: ActivityView['requests']['minutes'];
}

function ChartCard({ title, label, minutes, names }: ChartCardProps) {
  const bars = minutes.map((minute) => ({ ...minute, at: Date.parse(minute.at) }));
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <Chart label={label} minutes={bars} names={names} />
    </section>
  );
}

function Problems() {
  const { value: rows = [] } = useValue(
    async () => {
      const query = { ...scope(), anonymous: true, status: 'problem' } as const;
      return (await control.search('requests', { ...query, order: 'desc', limit: 8 })).data;
    },
    ({ requests }) => requests.some(({ status }) => status >= 400),
  );
  return (
    <section class="card" aria-label="Latest problems">
      <header>
        <h2>Latest problems</h2>
        <a class="small" href={href('requests', undefined, { status: 'problem' })}>
          All problems
        </a>
      </header>
      {rows.length === 0 && <p class="muted small">No rejected requests.</p>}
      <ul class="lines">
        {rows.map((row) => (
          <li key={row.id}>
            <HttpStatus status={row.status} />
            <a href={href('requests', row.id, { status: 'problem' })}>
              <Middle
                text={`${row.problem?.['code'] ?? ''} ${row.method} ${row.path}${row.actor ? `, ${actorName(row.actor)}` : ''}`}
              />
            </a>
            <Time at={row.at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Failures({ failing }: { failing: number }) {
  const { organization } = tenant.value ?? {};
  const owned = organization ? { organization } : {};
  return (
    <section class="card" aria-label="Failing deliveries">
      <header>
        <h2>Failing deliveries</h2>
        <a class="small" href={byStatus('retrying')}>
          All {count(failing)}
        </a>
      </header>
      {failing === 0 && <p class="muted small">No failing deliveries.</p>}
      <DeliveryLines query={{ ...owned, status: 'retrying' }} limit={5} empty="" />
      <DeliveryLines query={{ ...owned, status: 'failed' }} limit={3} empty="" />
    </section>
  );
}

function Start() {
  const command = `curl ${origin}/api/ai/content/generate \\
  -H "X-API-Key: $CONTENTGEN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt":"A haiku about TCP"}'`;
  return (
    <section class="card" aria-label="Start here">
      <header>
        <h2>Start here</h2>
      </header>
      <p class="muted">
        This server behaves like the real service. Point your application at it, or try it on{' '}
        <a href={href('generate')}>Generate</a>. Requests and deliveries appear here as they happen.
      </p>
      <Code text={command} what="the command" />
    </section>
  );
}
