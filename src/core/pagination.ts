import type { CallOptions } from '../options.ts';
import type { OperationId, Page } from '../types.ts';
import { ApiPromise } from './api-promise.ts';
import { type Caller, unexpected } from './caller.ts';
import type { CallInput } from './request.ts';
import type { Answer } from './send.ts';

/** `await` it for one page; `for await` it for every item, each page fetched when it is needed. */
export class ListPromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #next: (cursor: string) => ListPromise<Item>;

  constructor(
    caller: Caller,
    operation: OperationId,
    options: CallOptions | undefined,
    query: object | undefined,
    path?: CallInput['path'],
  ) {
    super(async () => {
      const answer = await caller.open(operation, options, { path, query });
      return { data: toPage<Item>(answer, query), answer };
    }, true);
    this.#next = (cursor) =>
      new ListPromise(caller, operation, options, { ...query, cursor }, path);
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

function toPage<Item>(answer: Answer, query: { cursor?: unknown } = {}): Page<Item> {
  const { data, nextCursor = null } = answer.data as Partial<Page<Item>>;
  // A page that names itself as its successor would be fetched for ever.
  const follows =
    nextCursor === null || (typeof nextCursor === 'string' && nextCursor !== query.cursor);
  if (!Array.isArray(data) || !follows) throw unexpected(answer, 'is no page of a list');
  return { ...answer.data, data, nextCursor };
}
