import type { CallOptions } from '../options.ts';
import type { OperationId, Page } from '../types.ts';
import { ApiPromise } from './api-promise.ts';
import { type Caller, unexpected } from './caller.ts';
import type { CallInput } from './request.ts';
import type { Answer } from './send.ts';

/** Where a list begins and how long a page is. */
export interface PageQuery {
  /** Rows per page, 1 to 100. @default 20 */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** `await` it for one page; `for await` it for every item, each page fetched when it is needed. */
export class ListPromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #next: (cursor: string) => ListPromise<Item>;

  constructor(caller: Caller, input: CallInput) {
    super(async () => {
      const answer = await caller.open(input);
      return { data: toPage<Item>(answer, input), answer };
    }, true);
    this.#next = (cursor) =>
      new ListPromise(caller, { ...input, query: { ...input.query, cursor } });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page: Page<Item> = await this;
    for (;;) {
      yield* page.data;
      if (page.nextCursor === null) return;
      page = await this.#next(page.nextCursor);
    }
  }
}

export function list<Item>(
  caller: Caller,
  operation: OperationId,
  path: Readonly<Record<string, string>> | undefined,
  query: object | undefined,
  options: CallOptions | undefined,
): ListPromise<Item> {
  return new ListPromise(caller, {
    operation,
    ...(path && { path }),
    query: { ...query },
    options,
  });
}

function toPage<Item>(answer: Answer, input: CallInput): Page<Item> {
  const { data, nextCursor = null } = answer.data as Partial<Page<Item>>;
  if (!Array.isArray(data)) throw unexpected(answer, 'has no array "data"');
  if (nextCursor !== null && (typeof nextCursor !== 'string' || nextCursor === '')) {
    throw unexpected(answer, 'has a "nextCursor" that is no cursor');
  }
  // A page that names itself as its successor would be fetched for ever.
  if (nextCursor !== null && nextCursor === input.query?.['cursor']) {
    throw unexpected(answer, 'repeats its own cursor');
  }
  return { ...answer.data, data, nextCursor };
}
