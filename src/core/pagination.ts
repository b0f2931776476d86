import type { CallOptions } from '../options.ts';
import type { OperationId, Page } from '../types.ts';
import { type ApiPromise, CallPromise, type Settled } from './api-promise.ts';
import { type Caller, type CallInput, unexpectedResponse } from './caller.ts';
import type { CallResult } from './send.ts';

/**
 * A list: `await` it for one page, or iterate it for every item. Pages are fetched as they are needed.
 * @example for await (const key of client.apiKeys.list()) console.log(key.id);
 */
export interface ListPromise<Item> extends ApiPromise<Page<Item>>, AsyncIterable<Item> {
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
}

type Query = { readonly cursor?: unknown } | undefined;
type FetchPage<Item> = (query: Query, seen: ReadonlySet<unknown>) => Promise<Settled<Page<Item>>>;

/** Lists the items of an operation. Nothing is sent until the list is awaited or iterated. */
export function createList<Item>(
  caller: Caller,
  operation: OperationId,
  options: CallOptions | undefined,
  query: Query,
  path?: CallInput['path'],
): ListPromise<Item> {
  return new PagedList<Item>(query, async (query, seen) => {
    const result = await caller.send(operation, options, { path, query });
    return { data: toPage<Item>(result, seen), result };
  });
}

class PagedList<Item> extends CallPromise<Page<Item>> implements ListPromise<Item> {
  readonly #query: Query;
  readonly #fetchPage: FetchPage<Item>;

  constructor(query: Query, fetchPage: FetchPage<Item>) {
    super(() => fetchPage(query, new Set([query?.cursor])), { lazy: true });
    this.#query = query;
    this.#fetchPage = fetchPage;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set([this.#query?.cursor]);
    let page: Page<Item> = await this;
    for (;;) {
      yield* page.data;
      const cursor = page.nextCursor;
      if (cursor === null) return;
      page = (await this.#fetchPage({ ...this.#query, cursor }, seen.add(cursor))).data;
    }
  }
}

/** Checks a page. One that names a cursor of this iteration again would be fetched for ever. */
function toPage<Item>(result: CallResult, seen: ReadonlySet<unknown>): Page<Item> {
  const { data, nextCursor = null } = result.body as Partial<Page<Item>>;
  if (!Array.isArray(data)) throw unexpectedResponse(result, 'is not a page of a list');
  if (nextCursor !== null && (typeof nextCursor !== 'string' || seen.has(nextCursor))) {
    throw unexpectedResponse(result, 'has an invalid or repeated nextCursor');
  }
  return { ...(result.body as object), data, nextCursor };
}
