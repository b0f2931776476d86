import { relativeTime } from '../logic/format.ts';
import { origin, universeId } from '../state/control.ts';
import { opens } from '../state/sign-in.ts';
import { useValue } from './use-value.ts';

interface UniverseRow {
  readonly id: string;
  readonly createdAt: string;
}

const NEW = 'new';

/** Shows the current universe and switches to another. A session for one universe opens no other. */
export function UniverseSelect() {
  const { value: universes = [] } = useValue(readUniverses, undefined, opens.value);
  const known = universes.some(({ id }) => id === universeId);
  const free = opens.value !== 'universe';
  if (free && universeId === '' && universes.length === 0) {
    return (
      <button
        type="button"
        title="A universe is a separate server with its own state, for a test or a colleague"
        onClick={() => void open(NEW)}
      >
        New universe
      </button>
    );
  }
  return (
    <label>
      <span>Universe</span>
      <select
        aria-label="Universe"
        value={universeId}
        onChange={({ currentTarget }) => void open(currentTarget.value)}
      >
        {free && <option value="">main server</option>}
        {!known && universeId !== '' && <option value={universeId}>{short(universeId)}</option>}
        {universes.map(({ id, createdAt }) => (
          <option key={id} value={id}>
            {short(id)}, {relativeTime(Date.parse(createdAt), Date.now())}
          </option>
        ))}
        {free && <option value={NEW}>New universe…</option>}
      </select>
    </label>
  );
}

const short = (id: string) => id.slice(0, 8);

/** Empty if the mock does not listen on a socket, or if the session is for one universe. */
async function readUniverses(): Promise<readonly UniverseRow[]> {
  if (opens.peek() === 'universe') return [];
  const response = await fetch(`${origin}/_control/universes`);
  return response.ok ? ((await response.json()) as { data: UniverseRow[] }).data : [];
}

async function open(id: string): Promise<void> {
  const chosen = id === NEW ? await createUniverse() : id;
  if (chosen === undefined) return;
  location.href = `${chosen ? `/u/${chosen}/` : '/'}${location.hash.split('/', 2).join('/')}`;
}

async function createUniverse(): Promise<string | undefined> {
  const response = await fetch(`${origin}/_control/universes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return response.ok ? ((await response.json()) as UniverseRow).id : undefined;
}
