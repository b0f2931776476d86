import type { ComponentChildren } from 'preact';
import { HttpStatus } from '../components/badge.tsx';
import { Json } from '../components/code.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { Filters } from '../components/filters.tsx';
import { backTo, ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import type { Column } from '../components/table.tsx';
import { Middle } from '../components/table.tsx';
import { FullTime, LogTime, Time } from '../components/time.tsx';
import { useList } from '../components/use-list.ts';
import { useValue } from '../components/use-value.ts';
import { filtersOf } from '../logic/filters.ts';
import { duration } from '../logic/format.ts';
import { href, route } from '../router.ts';
import { control, origin, type RequestEntry } from '../state/control.ts';
import { actorName } from '../state/names.ts';
import { dashboardUser, tenant } from '../state/session.ts';

const columns: readonly Column<RequestEntry>[] = [
  {
    title: 'Time',
    width: '136px',
    class: 'in-wide',
    render: (row) => <LogTime at={row.at} />,
  },
  { title: 'Status', width: '76px', render: (row) => <HttpStatus status={row.status} /> },
  {
    title: 'Request',
    link: true,
    render: (row) => (
      <>
        <code>
          <Middle text={`${row.method} ${row.path}`} />
        </code>
        <span class="in-narrow code-line">
          {codeOf(row)} <Time at={row.at} />
        </span>
      </>
    ),
  },
  { title: 'Code', width: '176px', class: 'in-wide keep', render: codeOf },
  {
    title: 'Caller',
    width: '138px',
    class: 'in-wide spare',
    render: (row) => row.actor && <Middle text={actorName(row.actor)} />,
  },
  {
    title: 'Duration',
    width: '82px',
    class: 'number in-wide spare',
    render: (row) => duration(row.durationMs),
  },
];

function codeOf({ problem }: RequestEntry): ComponentChildren {
  return String(problem?.['code'] ?? '');
}

const states = ['2xx', 'problem', '4xx', '5xx', '401', '404', '422', '429'];

export function RequestsPage() {
  const organization = tenant.value?.organization;
  const own = filtersOf(route.value.query).own === 'yes';
  const feed = useList('requests', {
    key: (row) => row.id,
    base: {
      ...(organization && { organization, anonymous: true }),
      ...(!own && { exceptActor: dashboardUser }),
    },
    touched: ({ requests }) =>
      requests.some(({ actor }) => own || actor !== dashboardUser) ? [] : undefined,
  });
  return (
    <ListPage
      page="requests"
      title="Requests"
      feed={feed}
      columns={columns}
      tools={
        <Filters
          hint="Search id, body, problem"
          status={states}
          code="Code, e.g. not_found"
          url="Part of the path"
          own="This page's calls"
        />
      }
      empty={<NoRequests />}
      detail={(id) => <RequestDetail id={id} />}
    />
  );
}

function NoRequests() {
  return (
    <Empty title="No requests yet">
      <p class="muted">
        Point your application at <code>{origin}</code>, and each call appears here as it happens:
        the caller, the response status and, for an error, the problem document.
      </p>
      <a class="button" href={href('generate')}>
        Send one from here
      </a>
    </Empty>
  );
}

function RequestDetail({ id }: { id: string }) {
  const { value, error } = useValue(
    async () => (await control.search('requests', { ids: [id] })).data,
    undefined,
    id,
  );
  const entry = value?.[0];
  const title = entry ? `${entry.method} ${entry.path}` : id;
  return (
    <Detail
      title={title}
      badge={entry && <HttpStatus status={entry.status} />}
      back={backTo('requests')}
    >
      <Problem error={error} />
      {entry && <Entry entry={entry} />}
      {value && !entry && <p class="muted">This request is not in the log.</p>}
    </Detail>
  );
}

function Entry({ entry }: { entry: RequestEntry }) {
  return (
    <>
      {entry.problem && (
        <section>
          <h3>Problem document</h3>
          <Json value={entry.problem} what="the problem document" />
        </section>
      )}
      {entry.body !== undefined && (
        <section>
          <h3>Body</h3>
          <Json value={entry.body} what="the body" />
        </section>
      )}
      <Facts
        rows={[
          ['Request id', <Id key="id" value={entry.requestId} />],
          entry.operation !== undefined && ['Operation', <code key="op">{entry.operation}</code>],
          entry.actor !== undefined && [
            'Caller',
            <span key="actor">
              {actorName(entry.actor)} <code class="muted">{entry.actor}</code>
            </span>,
          ],
          entry.organization !== undefined && [
            'Organization',
            <code key="org">{entry.organization}</code>,
          ],
          entry.idempotent === true && ['Idempotency key', 'sent (not logged)'],
          ['Time', <FullTime key="at" at={entry.at} />],
          ['Duration', duration(entry.durationMs)],
        ]}
      />
    </>
  );
}
