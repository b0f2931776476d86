import type { Context } from './context.ts';
import type { Table } from './ports.ts';
import { type Rejection, reject } from './rejection.ts';

const TAG_CHARS = 8;

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

export interface PageSource {
  readonly index: string;
  readonly key: string;
  /** Names the list that the cursor belongs to, whatever its filter. */
  readonly scope: string;
}

interface PageRequest extends PageSource {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Only rows created at or after this time, RFC 3339. */
  readonly since?: string | undefined;
}

/** The last id seen, with a tag of the list that it was seen in. */
function cursorOf(context: Context, scope: string, id: string): string {
  return `${context.ports.digest(`${scope}\n${id}`).slice(0, TAG_CHARS)}${id}`;
}

/** Newest first. Rejects a cursor that belongs to another list. */
export function readPage<Row extends { readonly id: string; readonly createdAt: number }>(
  context: Context,
  table: Table<Row>,
  { index, key, scope, limit, cursor, since }: PageRequest,
): Page<Row> | Rejection {
  const before = cursor?.slice(TAG_CHARS);
  if (before !== undefined && cursorOf(context, scope, before) !== cursor) {
    return reject(
      'invalid_request',
      'The cursor does not belong to this list. Pass the nextCursor of its previous page.',
    );
  }
  const found = table.newest({
    index,
    key,
    limit: limit + 1,
    ...(before !== undefined && { before }),
  });
  // Rows come newest first, so everything after the first one that is too old is older still.
  const start = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const tooOld = found.findIndex(({ createdAt }) => createdAt < start);
  const matching = tooOld === -1 ? found : found.slice(0, tooOld);
  const rows = matching.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: matching.length > limit && last ? cursorOf(context, scope, last.id) : null,
  };
}
