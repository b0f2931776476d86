import { checkOptions } from '../options/check-options.ts';
import { integerOrInfinity } from '../options/rules.ts';
import type { CallOptions } from '../options.ts';
import type { OperationId, Page } from '../types.ts';
import {
  type ApiPromise,
  type Caller,
  type CallInput,
  CallPromise,
  type Settled,
} from './caller.ts';
import { lacks, unexpectedResponse } from './promised.ts';
import type { CallResult } from './send.ts';

/**
 * A list: `await` it for one page, or iterate it for every item. Pages are fetched as they are needed.
 * @example for await (const key of client.apiKeys.list()) console.log(key.id);
 */
export interface ListPromise<Item> extends ApiPromise<Page<Item>>, AsyncIterable<Item> {
  /** Yields every item, page by page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;

  /**
   * Resolves with the first `limit` items, or with all of them. Fetches pages of up to 100 items, or of the list's own
   * `limit` if it has one.
   * @throws TypeError if `limit` is not an integer of 0 or more, or `Infinity`
   * @example const failed = await client.content.list({ status: 'failed' }).toArray({ limit: 500 });
   */
  toArray(options?: {
    /** The maximum number of items to return. */
    readonly limit?: number | undefined;
  }): Promise<Item[]>;
}

const MAX_PAGE = 100;

type Query = { readonly cursor?: unknown; readonly limit?: number | undefined } | undefined;
type FetchPage<Item> = (query: Query, trail?: Trail) => Promise<Settled<Page<Item>>>;

/** A list whose pages are all empty, with a new cursor each, would never end. */
const MAX_EMPTY_PAGES = 100;

/** The cursors that led to a page, the last one first. */
interface Trail {
  readonly cursor: unknown;
  /** How many pages in a row were empty. */
  empty: number;
  readonly before?: Trail | undefined;
}

/**
 * Lists the items of an operation. Nothing is sent until the list is awaited or iterated. A `null` cursor, as the last
 * page has, is not sent either.
 */
export function createList<Item>(
  caller: Caller,
  operation: OperationId,
  options: CallOptions | undefined,
  query: Query,
  path?: CallInput['path'],
): ListPromise<Item> {
  const fetchPage: FetchPage<Item> = async (query, before) => {
    const trail: Trail = { cursor: query?.cursor, empty: 0, before };
    const result = await caller.send(operation, options, { path, query });
    const page = toPage<Item>(result, trail);
    const nextPage = async () => {
      const cursor = page.nextCursor;
      return cursor === null ? undefined : (await fetchPage({ ...query, cursor }, trail)).data;
    };
    // Not enumerable, so that it is not part of the page's data.
    return { data: Object.defineProperty(page, 'nextPage', { value: nextPage }), result };
  };
  return new PagedList<Item>(query, fetchPage);
}

class PagedList<Item> extends CallPromise<Page<Item>> implements ListPromise<Item> {
  readonly #query: Query;
  readonly #fetchPage: FetchPage<Item>;

  constructor(query: Query, fetchPage: FetchPage<Item>) {
    super(() => fetchPage(query), { lazy: true });
    this.#query = query;
    this.#fetchPage = fetchPage;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* items(await this);
  }

  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<Item[]> {
    const { limit = Infinity } = checkOptions(options, { limit: integerOrInfinity(0) });
    const list: Item[] = [];
    if (limit === 0) return list;
    const query = { ...this.#query, limit: this.#query?.limit ?? Math.min(limit, MAX_PAGE) };
    const { data } = await this.#fetchPage(query);
    for await (const item of items(data)) if (list.push(item) >= limit) break;
    return list;
  }
}

async function* items<Item>(first: Page<Item>): AsyncGenerator<Item, void, undefined> {
  for (let page: Page<Item> | undefined = first; page; page = await page.nextPage()) {
    yield* page.data;
  }
}

/** Checks a page. A cursor that has already been used would make the list loop forever. */
function toPage<Item>(result: CallResult, trail: Trail): Page<Item> {
  const { data, nextCursor = null } = result.body as Partial<Page<Item>>;
  if (!Array.isArray(data)) throw lacks(result, 'array data');
  if (nextCursor !== null && (typeof nextCursor !== 'string' || leadsTo(trail, nextCursor))) {
    throw unexpectedResponse(result, 'has an invalid or repeated nextCursor');
  }
  trail.empty = data.length > 0 ? 0 : (trail.before?.empty ?? 0) + 1;
  if (nextCursor !== null && trail.empty >= MAX_EMPTY_PAGES) {
    throw unexpectedResponse(result, `is the ${MAX_EMPTY_PAGES}th empty page in a row`);
  }
  return { ...(result.body as object), data, nextCursor } as Page<Item>;
}

function leadsTo(trail: Trail, cursor: string): boolean {
  for (let step: Trail | undefined = trail; step; step = step.before) {
    if (step.cursor === cursor) return true;
  }
  return false;
}
