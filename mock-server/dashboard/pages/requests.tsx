import { useState } from 'preact/hooks';
import { HttpStatus } from '../components/badge.tsx';
import { Json } from '../components/code.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { CheckField, SearchField } from '../components/field.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { FullTime, LogTime } from '../components/time.tsx';
import { useFeed } from '../components/use-feed.ts';
import type { Column } from '../components/virtual-table.tsx';
import { duration } from '../logic/format.ts';
import { href, route } from '../router.ts';
import { origin, type RequestEntry, readLog } from '../state/control.ts';
import { dashboardUser, isOurs } from '../state/session.ts';

const columns: readonly Column<RequestEntry>[] = [
  { title: 'Time', width: '118px', render: (row) => <LogTime at={row.at} /> },
  { title: 'Status', width: '76px', render: (row) => <HttpStatus status={row.status} /> },
  {
    title: 'Request',
    render: (row) => (
      <code>
        {row.method} {row.path}
      </code>
    ),
  },
  { title: 'Code', width: '190px', class: 'in-wide', render: (row) => row.problem?.code ?? '' },
  {
    title: 'Duration',
    width: '78px',
    class: 'number in-wide',
    render: (row) => duration(row.durationMs),
  },
];

export function RequestsPage() {
  const { query } = route.value;
  const [find, setFind] = useState(query.get('find') ?? '');
  const [problems, setProblems] = useState(query.has('problems'));
  const [own, setOwn] = useState(query.has('find'));
  const feed = useFeed<RequestEntry>({
    read: (before) => readLog('requests', { before }),
    key: (row) => row.id,
    follow: (feed, { requests }) => feed.prepend(requests),
  });
  const wanted = find.trim().toLowerCase();
  const rows = feed.rows.value.filter(
    (row) =>
      isOurs(row) &&
      (own || row.actor !== dashboardUser) &&
      (!problems || row.status >= 400) &&
      (!wanted || text(row).includes(wanted)),
  );
  return (
    <ListPage
      page="requests"
      title="Requests"
      feed={feed}
      rows={rows}
      columns={columns}
      tools={
        <>
          <SearchField hint="Find path, code or request id" size={28} value={find} set={setFind} />
          <CheckField label="Problems only" value={problems} set={setProblems} />
          <CheckField label="This page's calls" value={own} set={setOwn} />
        </>
      }
      empty={<NoRequests filtered={feed.rows.value.length > 0} />}
      detail={(id) => (
        <RequestDetail id={id} entry={feed.rows.value.find((row) => row.id === id)} />
      )}
    />
  );
}

function text({ path, method, problem, requestId, operation }: RequestEntry): string {
  return `${method} ${path} ${problem?.code ?? ''} ${requestId} ${operation ?? ''}`.toLowerCase();
}

function NoRequests({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No matching requests">
        <p class="muted">Clear the search, or show this page's own calls too.</p>
      </Empty>
    );
  }
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

function RequestDetail({ id, entry }: { id: string; entry: RequestEntry | undefined }) {
  return (
    <Detail title={entry?.requestId ?? id} back={href('requests')}>
      {entry ? <Entry entry={entry} /> : <p class="muted">This request is not in the log.</p>}
    </Detail>
  );
}

function Entry({ entry }: { entry: RequestEntry }) {
  return (
    <>
      <Facts
        rows={[
          [
            'Request',
            <code key="line">
              {entry.method} {entry.path}
            </code>,
          ],
          ['Response', <HttpStatus key="status" status={entry.status} />],
          ['Request id', <Id key="id" value={entry.requestId} />],
          entry.operation !== undefined && ['Operation', <code key="op">{entry.operation}</code>],
          entry.actor !== undefined && ['Caller', <code key="actor">{entry.actor}</code>],
          entry.organization !== undefined && [
            'Organization',
            <code key="org">{entry.organization}</code>,
          ],
          entry.idempotent === true && ['Idempotency key', 'sent (not logged)'],
          ['Time', <FullTime key="at" at={entry.at} />],
          ['Duration', duration(entry.durationMs)],
        ]}
      />
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
    </>
  );
}
