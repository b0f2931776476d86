import { useState } from 'preact/hooks';
import { HttpStatus } from '../components/badge.tsx';
import { Json } from '../components/code.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { Empty } from '../components/empty.tsx';
import { FeedTable } from '../components/feed-table.tsx';
import { FindField } from '../components/find-field.tsx';
import { Page } from '../components/page.tsx';
import { FullTime, LogTime } from '../components/time.tsx';
import { useFeed } from '../components/use-feed.ts';
import type { Column } from '../components/virtual-table.tsx';
import { duration } from '../logic/format.ts';
import { href, route } from '../router.ts';
import { origin, type RequestEntry, readLog } from '../state/control.ts';
import { dashboardUser, isOurs } from '../state/session.ts';

const key = (row: RequestEntry) => row.id;

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
    title: 'Took',
    width: '78px',
    class: 'number in-wide',
    render: (row) => duration(row.durationMs),
  },
];

export function RequestsPage() {
  const { id, query } = route.value;
  const [find, setFind] = useState(query.get('find') ?? '');
  const [problems, setProblems] = useState(query.has('problems'));
  const [own, setOwn] = useState(query.has('find'));
  const feed = useFeed<RequestEntry>({
    read: (before) => readLog('requests', { before }),
    key,
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
  const entry = id === undefined ? undefined : feed.rows.value.find((row) => row.id === id);
  return (
    <Page title="Requests">
      <div class="split" data-open={id !== undefined || undefined}>
        <FeedTable
          label="Requests"
          feed={feed}
          rows={rows}
          columns={columns}
          rowKey={key}
          linkTo={(row) => href('requests', row.id)}
          current={id}
          tools={
            <>
              <FindField
                hint="Find path, code or request id"
                size={28}
                value={find}
                set={setFind}
              />
              <Check label="Problems only" value={problems} set={setProblems} />
              <Check label="Calls of this page" value={own} set={setOwn} />
            </>
          }
          empty={<Nothing filtered={feed.rows.value.length > 0} />}
        />
        {id !== undefined && (
          <Detail title={entry?.requestId ?? id} back={href('requests')}>
            {entry ? <Entry entry={entry} /> : <p class="muted">This request is not in the log.</p>}
          </Detail>
        )}
      </div>
    </Page>
  );
}

function text({ path, method, problem, requestId, operation }: RequestEntry): string {
  return `${method} ${path} ${problem?.code ?? ''} ${requestId} ${operation ?? ''}`.toLowerCase();
}

interface CheckProps {
  readonly label: string;
  readonly value: boolean;
  readonly set: (value: boolean) => void;
}

function Check({ label, value, set }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No request fits">
        <p class="muted">Clear the search, or show this page's own calls too.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No request came in yet">
      <p class="muted">
        Point your application at <code>{origin}</code>, and each call appears here as it happens:
        who asked, what was answered, and for a refusal the whole problem document.
      </p>
      <a class="button" href={href('generate')}>
        Send one from here
      </a>
    </Empty>
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
          ['Answer', <HttpStatus key="status" status={entry.status} />],
          ['Request id', <Id key="id" value={entry.requestId} />],
          entry.operation !== undefined && ['Operation', <code key="op">{entry.operation}</code>],
          entry.actor !== undefined && ['Asked by', <code key="actor">{entry.actor}</code>],
          entry.organization !== undefined && [
            'Organization',
            <code key="org">{entry.organization}</code>,
          ],
          entry.idempotent === true && ['Idempotency key', 'sent; the log keeps none'],
          ['At', <FullTime key="at" at={entry.at} />],
          ['Took', duration(entry.durationMs)],
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
