import type { Generation } from '../../../src/index.ts';
import { useAction } from '../components/action.ts';
import { Status } from '../components/badge.tsx';
import { Code, Json } from '../components/code.tsx';
import { Id } from '../components/copy.tsx';
import { Detail, Facts } from '../components/detail.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { FullTime, Time } from '../components/time.tsx';
import { isAbout, useResourceFeed } from '../components/use-feed.ts';
import { useValue } from '../components/use-value.ts';
import type { Column } from '../components/virtual-table.tsx';
import { count, shortId } from '../logic/format.ts';
import { go, href, route } from '../router.ts';
import { client } from '../state/session.ts';

const states = ['processing', 'completed', 'failed', 'canceled'] as const;
type State = (typeof states)[number];

const columns: readonly Column<Generation>[] = [
  { title: 'Generation', width: '132px', render: (row) => shortId(row.requestId) },
  { title: 'Status', width: '120px', render: (row) => <Status value={row.status} /> },
  { title: 'Result', render: (row) => row.result ?? row.error?.message ?? '' },
  { title: 'Model', width: '128px', class: 'in-wide', render: (row) => row.model },
  {
    title: 'Tokens',
    width: '84px',
    class: 'number in-wide',
    render: (row) => (row.usage ? count(row.usage.totalTokens) : ''),
  },
  {
    title: 'Created',
    width: '116px',
    class: 'in-wide',
    render: (row) => <Time at={row.createdAt} />,
  },
];

export function GenerationsPage() {
  const status = states.find((state) => state === route.value.query.get('status'));
  const feed = useResourceFeed<Generation>({
    list: (query) => client.content.list({ ...query, ...(status && { status }) }),
    get: (id) => client.content.get(id),
    key: (row) => row.requestId,
    events: 'generation.',
    depends: status ?? '',
  });
  const query = status && { status };
  return (
    <ListPage
      page="generations"
      title="Generations"
      actions={
        <a class="button" href={href('generate')}>
          Generate
        </a>
      }
      feed={feed}
      columns={columns}
      query={query}
      tools={<StatusFilter status={status} />}
      empty={<NoGenerations status={status} />}
      detail={(id) => <GenerationDetail id={id} back={href('generations', undefined, query)} />}
    />
  );
}

function StatusFilter({ status }: { status: State | undefined }) {
  return (
    <label>
      Status
      <select
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          go('generations', undefined, value ? { status: value } : undefined)
        }
      >
        <option value="">all</option>
        {states.map((state) => (
          <option key={state} value={state}>
            {state}
          </option>
        ))}
      </select>
    </label>
  );
}

function NoGenerations({ status }: { status: State | undefined }) {
  if (status) {
    return (
      <Empty title={`No ${status} generations`}>
        <p class="muted">Choose another status above to see the others.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No generations yet">
      <p class="muted">
        Each prompt sent to the service becomes a generation: processing, then completed, failed or
        canceled. Those of every caller appear here.
      </p>
      <a class="button" href={href('generate')}>
        Generate something
      </a>
    </Empty>
  );
}

function GenerationDetail({ id, back }: { id: string; back: string }) {
  const { value, error } = useValue<Generation>(
    () => client.content.get(id),
    isAbout('generation.'),
    id,
  );
  const cancel = useAction(async () => {
    await client.content.cancel(id);
    return 'Generation canceled.';
  });
  return (
    <Detail title={shortId(id)} back={back}>
      <Problem error={error ?? cancel.error} />
      {value && (
        <>
          <Facts
            rows={[
              ['Identifier', <Id key="id" value={value.requestId} />],
              ['Status', <Status key="status" value={value.status} />],
              ['Model', value.model],
              value.usage !== undefined && [
                'Tokens',
                `${count(value.usage.totalTokens)} (${count(value.usage.promptTokens)} prompt, ${count(value.usage.completionTokens)} completion)`,
              ],
              ['Created', <FullTime key="created" at={value.createdAt} />],
              value.completedAt !== undefined && [
                'Ended',
                <FullTime key="ended" at={value.completedAt} />,
              ],
              value.webhookUrl !== undefined && [
                'Callback',
                <a key="callback" href={href('deliveries', undefined, { find: id })}>
                  {value.webhookUrl}
                </a>,
              ],
            ]}
          />
          {value.status === 'processing' && (
            <div class="row">
              <button type="button" disabled={cancel.busy} onClick={() => void cancel.run()}>
                Cancel
              </button>
              <span class="hint">A canceled generation posts no callback.</span>
            </div>
          )}
          {value.result !== undefined && <Code text={value.result} what="the result" />}
          {value.error && <Json value={value.error} what="the error" />}
          {value.metadata && <Json value={value.metadata} what="the metadata" />}
        </>
      )}
    </Detail>
  );
}
