import { Chart } from '../components/chart.tsx';
import { Block, Code, CopyButton } from '../components/copy.tsx';
import { count } from '../components/format.tsx';
import { readList } from '../components/list.tsx';
import { Problem } from '../components/problem.tsx';
import { Rows } from '../components/rows.tsx';
import { deliveries } from '../lists/deliveries.tsx';
import type { AnySpec } from '../lists/list-spec.ts';
import { requests } from '../lists/traffic.tsx';
import { control } from '../state/control.ts';
import { epoch } from '../state/live.ts';
import { href } from '../state/router.ts';
import { loadServer, organization, projects } from '../state/session.ts';
import { useLive } from '../state/use-live.ts';

const MINUTES = 30;
const LATEST = 5;

export function OverviewPage() {
  const { value, error } = useLive('activity', () => control.page.activity({ minutes: MINUTES }));
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      <Problem error={error} />
      <Connect />
      {value && (
        <>
          <Counts activity={value} />
          <div class="pair">
            <article>
              <Chart title="Requests per minute" minutes={value.requests.minutes} />
            </article>
            <article>
              <Chart title="Attempts to deliver per minute" minutes={value.attempts.minutes} />
            </article>
          </div>
        </>
      )}
      <div class="pair">
        <Latest title="Requests that failed lately" spec={requests} statuses={['problem']} />
        <Latest
          title="Deliveries that failed lately"
          spec={deliveries}
          statuses={['retrying', 'failed']}
        />
      </div>
    </>
  );
}

/** What an application needs to connect. */
function Connect() {
  const { value } = useLive('server', loadServer, epoch);
  if (!value) return null;
  const { baseUrl, adminKey, memberKey, signingSecret, deployment } = value;
  const rows = [
    ['Base URL', 'CONTENTGEN_BASE_URL', baseUrl],
    ['Admin key', 'CONTENTGEN_API_KEY', adminKey],
    ['Member key', undefined, memberKey],
    ['Signing secret', 'CONTENTGEN_WEBHOOK_SECRET', signingSecret],
  ] as const;
  const shown = organization.value ?? value.organization;
  const { used = 0, quota = 0 } =
    projects.value.find((project) => project.organization === shown) ?? {};
  const env = rows.flatMap(([, name, text]) => (name && text ? [`${name}=${text}`] : []));
  return (
    <article>
      <header>
        <h2>Connect your application</h2>
        <CopyButton
          text={`${env.join('\n')}\n`}
          what="as environment variables"
          label="Copy .env"
        />
      </header>
      <dl>
        {rows.map(([name, , text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text ? <Code value={text} what={name} /> : 'unknown or revoked'}</dd>
          </div>
        ))}
        <div>
          <dt>Tokens</dt>
          <dd>
            {count(used)} of {count(quota)} in this month
            <progress aria-label="Tokens used" value={used} max={Math.max(quota, 1)} />
          </dd>
        </div>
        <div>
          <dt>Deployment</dt>
          <dd>{deployment ? 'differs from the contract:' : 'as the contract says'}</dd>
        </div>
      </dl>
      {deployment && <Block title="Deployment" value={deployment} />}
    </article>
  );
}

type Activity = Awaited<ReturnType<typeof control.page.activity>>;

function Counts({ activity: { requests: calls, deliveries: sent } }: { activity: Activity }) {
  const tiles = [
    ['Requests', calls.total, 'traffic/requests', undefined, 'plain'],
    ['Problems', calls.bad, 'traffic/requests', 'problem', 'bad'],
    ['Deliveries', sent.total, 'traffic/deliveries', undefined, 'plain'],
    ['Delivered', sent.delivered, 'traffic/deliveries', 'delivered', 'good'],
    ['Retrying', sent.retrying, 'traffic/deliveries', 'retrying', 'warn'],
    ['Failed', sent.failed, 'traffic/deliveries', 'failed', 'bad'],
  ] as const;
  return (
    <ul class="tiles" aria-label="Counts">
      {tiles.map(([name, value, path, status, tone]) => (
        <li key={name}>
          <a href={href(path, { status })}>
            {name}
            <strong class={value > 0 ? tone : 'plain'}>{count(value)}</strong>
          </a>
        </li>
      ))}
    </ul>
  );
}

interface LatestProps {
  readonly title: string;
  readonly spec: AnySpec;
  readonly statuses: readonly string[];
}

function Latest({ title, spec, statuses }: LatestProps) {
  const { value } = useLive(`${spec.name} ${organization.value}`, async () => {
    const pages = statuses.map((status) => readList(spec, { status, limit: LATEST }));
    const rows = (await Promise.all(pages)).flatMap(({ data }) => data);
    return rows.toSorted((a, b) => (spec.id(a) < spec.id(b) ? 1 : -1)).slice(0, LATEST);
  });
  return (
    <article class="list">
      <header>
        <h2>{title}</h2>
      </header>
      {value?.length === 0 ? <p class="empty">None.</p> : <Rows spec={spec} rows={value ?? []} />}
    </article>
  );
}
