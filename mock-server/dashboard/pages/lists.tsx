import { Detail } from '../components/detail.tsx';
import { List } from '../components/list.tsx';
import type { AnySpec } from '../lists/list-spec.ts';
import { records } from '../lists/records.tsx';
import { traffic } from '../lists/traffic.tsx';
import { href, route } from '../state/router.ts';

export const TrafficPage = () => <ListsPage title="Traffic" specs={traffic} />;
export const RecordsPage = () => <ListsPage title="Records" specs={records} />;

/** Lists beside each other, one of which is shown, next to the detail of a row. */
function ListsPage({ title, specs }: { title: string; specs: readonly AnySpec[] }) {
  const { part, id } = route.value;
  const spec = specs.find(({ path }) => path.split('/')[1] === part) ?? specs[0];
  if (!spec) return null;
  return (
    <>
      <header class="parts">
        <h1 tabIndex={-1}>{title}</h1>
        <nav aria-label={`Lists of ${title}`}>
          {specs.map(({ path, title: name }) => (
            <a key={path} href={href(path)} aria-current={path === spec.path ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <div class="split" data-open={id !== undefined}>
        <List key={spec.name} spec={spec} />
        {id !== undefined && <Detail key={id} spec={spec} id={id} />}
      </div>
    </>
  );
}
