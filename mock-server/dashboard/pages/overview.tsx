import type { ActivityView } from '../../control/logs/activity.ts';
import { Card } from '../components/card.tsx';
import { Chart } from '../components/chart.tsx';
import { Block, Code, CopyButton } from '../components/copy.tsx';
import { count, words } from '../components/format.tsx';
import { Rows, readList } from '../components/list.tsx';
import { Problem } from '../components/outcome.tsx';
import { deliveries } from '../lists/deliveries.tsx';
import { type AnySpec, idOf } from '../lists/list-spec.ts';
import { requests } from '../lists/traffic.tsx';
import { control } from '../state/control.ts';
import { epoch } from '../state/live.ts';
import { href } from '../state/router.ts';
import { loadServer, organization, ownOrganization, projects } from '../state/session.ts';
import { useLive } from '../state/use-live.ts';

const LATEST = 5;

export function OverviewPage() {
  const owner = ownOrganization();
  const { value, error } = useLive(`activity ${owner.organization}`, () =>
    control.page.activity(owner),
  );
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      <Problem error={error} />
      <Connect />
      {value && (
        <>
          <Counts totals={value.totals} />
          <div class="pair">
            <Chart title="Requests per minute" minutes={value.requests} />
            <Chart title="Attempts to deliver per minute" minutes={value.attempts} />
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
  const env = rows.flatMap(([, name, text]) => (name && text ? [`${name}=${text}\n`] : []));
  return (
    <Card
      title="Connect your application"
      about={<CopyButton text={env.join('')} what="as environment variables" label="Copy .env" />}
    >
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
            {count(used)} of {count(quota)} in this month{' '}
            <progress aria-label="Tokens used" value={used} max={Math.max(quota, 1)} />
          </dd>
        </div>
      </dl>
      {deployment && <Block title="Deployment" value={deployment} />}
    </Card>
  );
}

const tiles = [
  ['requests', requests, undefined, 'plain'],
  ['problems', requests, 'problem', 'bad'],
  ['deliveries', deliveries, undefined, 'plain'],
  ['delivered', deliveries, 'delivered', 'good'],
  ['retrying', deliveries, 'retrying', 'warn'],
  ['failed', deliveries, 'failed', 'bad'],
] as const;

function Counts({ totals }: { totals: ActivityView['totals'] }) {
  return (
    <ul class="tiles" aria-label="Counts">
      {tiles.map(([name, { path }, status, tone]) => (
        <li key={name}>
          <a href={href(path, { status })}>
            {words(name)}
            <strong class={totals[name] > 0 ? tone : 'plain'}>{count(totals[name])}</strong>
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
    return rows.toSorted((a, b) => (idOf(a) < idOf(b) ? 1 : -1)).slice(0, LATEST);
  });
  return (
    <Card class="list" title={title}>
      {value?.length === 0 ? <p class="empty">None.</p> : <Rows spec={spec} rows={value ?? []} />}
    </Card>
  );
}
