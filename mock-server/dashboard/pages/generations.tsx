import type { GenerationView } from '../../index.ts';
import { Status } from '../components/badge.tsx';
import { Filters } from '../components/filters.tsx';
import { GenerationDetail } from '../components/generation-detail.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Empty } from '../components/page.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { subjectsOf, useList } from '../components/use-list.ts';
import { count, shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { tenant } from '../state/session.ts';

const states = ['processing', 'completed', 'failed', 'canceled'];

const columns: readonly Column<GenerationView>[] = [
  {
    title: 'Generation',
    width: '124px',
    class: 'in-wide spare',
    render: (row) => <code>{shortId(row.requestId)}</code>,
  },
  {
    title: 'Status',
    width: '116px',
    render: (row) => <Status value={row.status} />,
  },
  { title: 'Prompt', link: true, render: (row) => row.prompt ?? shortId(row.requestId) },
  {
    title: 'Result',
    class: 'in-wide',
    render: (row) => (
      <span class="muted">{row.result ?? row.error?.message ?? row.text ?? ''}</span>
    ),
  },
  { title: 'Model', width: '120px', class: 'in-wide spare', render: (row) => row.model },
  {
    title: 'Tokens',
    width: '78px',
    class: 'number in-wide',
    render: (row) => (row.usage ? count(row.usage.totalTokens) : ''),
  },
  {
    title: 'Created',
    width: '112px',
    class: 'in-wide',
    render: (row) => <Time at={row.createdAt} />,
  },
];

export function GenerationsPage() {
  const project = tenant.value?.project;
  const feed = useList('generations', {
    key: (row) => row.requestId,
    base: project ? { project } : {},
    touched: subjectsOf('generation.'),
  });
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
      tools={
        <Filters
          hint="Search id, prompt, result"
          status={states}
          code="Code, e.g. generation_failed"
          url="Callback URL"
        />
      }
      empty={<NoGenerations />}
      detail={(id) => <GenerationDetail id={id} />}
    />
  );
}

function NoGenerations() {
  return (
    <Empty title="No generations yet">
      <p class="muted">
        Each prompt sent to the service becomes a generation: processing, then completed, failed or
        canceled. This page shows those of all callers.
      </p>
      <a class="button" href={href('generate')}>
        Generate something
      </a>
    </Empty>
  );
}
