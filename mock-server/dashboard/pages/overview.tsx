import { Card } from '../components/card.tsx';
import { Chart } from '../components/chart.tsx';
import { Block, Code, CopyButton } from '../components/copy.tsx';
import { Rows, readList } from '../components/list.tsx';
import { Problem } from '../components/outcome.tsx';
import { deliveries } from '../lists/deliveries.tsx';
import { type AnySpec, idOf } from '../lists/list-spec.ts';
import { requests } from '../lists/traffic.tsx';
import { control } from '../state/control.ts';
import { epoch } from '../state/live.ts';
import { loadServer } from '../state/session.ts';
import { useLive } from '../state/use-live.ts';

const LATEST = 5;

export function OverviewPage() {
  const { value, error } = useLive('activity', () => control.page.activity());
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      <Problem error={error} />
      <Connect />
      {value && (
        <div class="pair">
          <Chart title="Requests per minute" minutes={value.requests} />
          <Chart title="Attempts to deliver per minute" minutes={value.attempts} />
        </div>
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
      </dl>
      {deployment && <Block title="Deployment" value={deployment} />}
    </Card>
  );
}

interface LatestProps {
  readonly title: string;
  readonly spec: AnySpec;
  readonly statuses: readonly string[];
}

function Latest({ title, spec, statuses }: LatestProps) {
  const { value } = useLive(`latest ${spec.name}`, async () => {
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
