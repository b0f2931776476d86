import type { Table } from '../domain/ports.ts';
import type { Row } from './memory.ts';

/** Once the lines in a pack have this many characters in total, the next line starts a new pack. */
const PACK_LENGTH = 16_384;

/** Lines that are stored together, under the id of the last one. */
export interface Pack {
  readonly id: string;
  /** A JSON array. */
  readonly text: string;
}

/** What to store so that the packs match the log. */
export interface PackChanges {
  readonly written: readonly Pack[];
  readonly deleted: readonly string[];
  /** Call it once these changes are stored. */
  committed(): void;
}

const every = { limit: Number.POSITIVE_INFINITY };

/**
 * Packs many log lines into each stored row, because storing a row costs several times as much as storing one more line
 * in it. Lines are added at the end and dropped from the start; after any other change, the whole log is stored again.
 * `stored` lists the ids of the existing packs, oldest first.
 */
export function createLogPacks(table: Table<Row>, stored: readonly string[]) {
  let packs = stored;

  /** The oldest pack, without the lines that were dropped from it. */
  function shortened(last: string): Pack {
    const lines: Row[] = [];
    let [line] = table.oldest({ limit: 1 });
    while (line && line.id <= last) {
      lines.push(line);
      [line] = table.oldest({ limit: 1, after: line.id });
    }
    return { id: last, text: JSON.stringify(lines) };
  }

  const lastStored = () => packs.at(-1) ?? '';

  return {
    /** Id of the newest line in a pack, or an empty string. */
    lastStored,
    /**
     * `changed`: the ids of the lines that were added, replaced or deleted since the last commit; the newest of those in
     * packs is enough. `all`: store the whole log.
     */
    take(changed: Iterable<string>, all = false): PackChanges {
      const saved = lastStored();
      const dropped = newestOf(changed, saved);
      const [oldest] = table.oldest({ limit: 1 });
      const rewritten = all || (oldest !== undefined && oldest.id <= dropped);
      const kept = rewritten ? [] : packs.filter((id) => id > dropped);
      const [first] = kept;
      const after = kept.length > 0 ? { ...every, after: saved } : every;
      const added = packsOf(table.oldest(after));
      // The pack at the new start of the log might also hold dropped lines.
      const start = first !== undefined && dropped !== '' ? [shortened(first)] : [];
      // A log that grows slowly has thousands of packs: looking them up in a set is faster than searching a list.
      const next = new Set([...kept, ...added.map(({ id }) => id)]);
      return {
        written: [...start, ...added],
        deleted: packs.filter((id) => !next.has(id)),
        committed() {
          packs = [...next];
        },
      };
    },
  };
}

function packsOf(lines: readonly Row[]): Pack[] {
  const packs: Pack[] = [];
  let texts: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const text = JSON.stringify(line);
    texts.push(text);
    length += text.length;
    if (length < PACK_LENGTH && index < lines.length - 1) continue;
    packs.push({ id: line.id, text: `[${texts.join(',')}]` });
    texts = [];
    length = 0;
  }
  return packs;
}

/** The newest of the ids, up to `last` if given; an empty string if there is no such id. */
export function newestOf(ids: Iterable<string>, last?: string): string {
  let newest = '';
  for (const id of ids) if (id > newest && (last === undefined || id <= last)) newest = id;
  return newest;
}
