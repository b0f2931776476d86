import type { CallOptions } from '../options.ts';
import type { OperationId, Page } from '../types.ts';
import { ApiPromise } from './api-promise.ts';
import { type Caller, unexpected } from './caller.ts';
import type { CallInput } from './request.ts';
import type { Answer } from './send.ts';

/** `await` it for one page; `for await` it for every item, each page fetched when it is needed. */
export class ListPromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #cursor: unknown;
  readonly #next: (cursor: string, seen: ReadonlySet<unknown>) => ListPromise<Item>;

  constructor(
    caller: Caller,
    operation: OperationId,
    options: CallOptions | undefined,
    query: { readonly cursor?: unknown } | undefined,
    path?: CallInput['path'],
    seen: ReadonlySet<unknown> = new Set([query?.cursor]),
  ) {
    super(async () => {
      const answer = await caller.open(operation, options, { path, query });
      return { data: toPage<Item>(answer, seen), answer };
    }, true);
    this.#cursor = query?.cursor;
    this.#next = (cursor, walked) =>
      new ListPromise(caller, operation, options, { ...query, cursor }, path, walked);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set([this.#cursor]);
    let page: Page<Item> = await this;
    for (;;) {
      yield* page.data;
      const { nextCursor } = page;
      if (nextCursor === null) return;
      page = await this.#next(nextCursor, seen.add(nextCursor));
    }
  }
}

/** `seen`: the cursors of this walk. A page that names one of them would lead in circles for ever. */
function toPage<Item>(answer: Answer, seen: ReadonlySet<unknown>): Page<Item> {
  const { data, nextCursor = null } = answer.body as Partial<Page<Item>>;
  const follows = nextCursor === null || (typeof nextCursor === 'string' && !seen.has(nextCursor));
  if (!Array.isArray(data) || !follows) throw unexpected(answer, 'is no page of a list');
  return { ...(answer.body as object), data, nextCursor };
}
