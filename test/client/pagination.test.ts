import { beforeEach, describe, expect, test } from 'vitest';
import { clientOf, type SeenRequest, turns, useService } from './support/service.ts';

const rows = Array.from({ length: 7 }, (_, index) => ({ id: `key_${index}` }));

/** Pages of three under opaque cursors. */
const paged = ({ path }: SeenRequest) => {
  const { searchParams } = new URL(path, 'https://x');
  const from = Number(searchParams.get('cursor')?.replace('c', '') ?? 0);
  const next = from + 3;
  return {
    json: { data: rows.slice(from, next), nextCursor: next < rows.length ? `c${next}` : null },
  };
};

describe('a list', () => {
  const service = useService();
  beforeEach(() => {
    service.script(paged);
  });
  const ids = async (list: AsyncIterable<{ id: string }>) => {
    const seen: string[] = [];
    for await (const { id } of list) seen.push(id);
    return seen;
  };

  test('yields every item once when iterated, and keeps its query', async () => {
    const { client } = clientOf(service);
    expect(await ids(client.apiKeys.list({ limit: 3 }))).toEqual(rows.map(({ id }) => id));
    expect(service.seen.map(({ path }) => path)).toEqual([
      '/api/auth/api-keys?limit=3',
      '/api/auth/api-keys?limit=3&cursor=c3',
      '/api/auth/api-keys?limit=3&cursor=c6',
    ]);
  });

  test.each([
    ['a cursor', 'c3', rows.slice(3)],
    ['the null cursor of a last page', null, rows],
  ])('starts at %s', async (_, cursor, expected) => {
    const list = clientOf(service).client.apiKeys.list({ cursor });
    expect(await ids(list)).toEqual(expected.map(({ id }) => id));
  });

  test('fetches no page before it is needed', async () => {
    const { client } = clientOf(service);
    const list = client.apiKeys.list();
    await turns(1);
    expect(service.seen).toHaveLength(0);
    const iterator = list[Symbol.asyncIterator]();
    for (let row = 0; row < 3; row += 1) await iterator.next();
    expect(service.seen).toHaveLength(1);
    await iterator.next();
    expect(service.seen).toHaveLength(2);
    await iterator.return();
    expect(service.seen).toHaveLength(2);
  });

  test('continues after an empty page that has a next one', async () => {
    service.script({ json: { data: [], nextCursor: 'c6' } }, paged);
    expect(await ids(clientOf(service).client.apiKeys.list())).toEqual(['key_6']);
  });

  test('ends in an error after 100 empty pages in a row, each with a new cursor', async () => {
    let page = 0;
    const pageOf = (data: object[]) => () => {
      page += 1;
      return { json: { data, nextCursor: `c${page}` } };
    };
    service.script(pageOf([]), pageOf([{ id: 'key_1' }]), pageOf([]));
    const failed = clientOf(service).client.apiKeys.list().toArray();
    await expect(failed).rejects.toMatchObject({ name: 'ParseError', code: 'invalid_response' });
    await expect(failed).rejects.toThrow('The response is the 100th empty page in a row.');
    expect(service.seen).toHaveLength(102);
  });

  test('fails when pages form a cycle, and can be iterated again from the start', async () => {
    const circle = { a: 'b', b: 'a' };
    service.script(({ path }) => {
      const cursor = new URL(path, service.baseUrl).searchParams.get('cursor') ?? 'start';
      const nextCursor = circle[cursor as keyof typeof circle] ?? 'a';
      return { json: { data: [{ id: cursor }], nextCursor } };
    });
    const list = clientOf(service).client.apiKeys.list();
    const walk = async () => {
      const seen: string[] = [];
      const walked = (async () => {
        for await (const { id } of list) seen.push(id);
      })();
      return { seen, failure: await walked.catch((error: unknown) => error) };
    };
    for (let round = 0; round < 2; round += 1) {
      expect(await walk()).toMatchObject({
        seen: ['start', 'a'],
        failure: { name: 'ParseError', code: 'invalid_response', operation: 'listApiKeys' },
      });
    }
    expect(service.seen).toHaveLength(5);
  });

  test.each([
    { data: 'x', nextCursor: null },
    { nextCursor: null },
    { data: [], nextCursor: 7 },
    [],
  ])('%j is rejected as a page', async (json) => {
    service.script({ json });
    await expect(clientOf(service).client.apiKeys.list()).rejects.toMatchObject({
      name: 'ParseError',
    });
  });

  test('a page fetches the next one, as often as asked, and the last page has none', async () => {
    const list = clientOf(service).client.apiKeys.list({ limit: 3 });
    const pages: string[][] = [];
    let page: Awaited<typeof list> | undefined = await list;
    expect(await page.nextPage()).toEqual(await page.nextPage());
    service.seen.length = 0;
    for (; page; page = await page.nextPage()) pages.push(page.data.map(({ id }) => id));
    expect(pages.flat()).toEqual(rows.map(({ id }) => id));
    expect(service.seen.map(({ path }) => path)).toEqual([
      '/api/auth/api-keys?limit=3&cursor=c3',
      '/api/auth/api-keys?limit=3&cursor=c6',
    ]);
    service.script({ json: { data: rows } });
    expect((await clientOf(service).client.apiKeys.list()).nextCursor).toBeNull();
  });

  test('is one page when awaited, whose data has no nextPage', async () => {
    const page = await clientOf(service).client.apiKeys.list();
    expect(JSON.parse(JSON.stringify(page))).toEqual({ data: rows.slice(0, 3), nextCursor: 'c3' });
    expect(Object.keys(page)).toEqual(['data', 'nextCursor']);
    expect(service.seen).toHaveLength(1);
  });

  test.each([
    [{}, undefined, 7, ['limit=100', 'limit=100&cursor=c3', 'limit=100&cursor=c6']],
    [{}, { limit: 3 }, 3, ['limit=3']],
    [{ limit: 2 }, { limit: 4 }, 4, ['limit=2', 'limit=2&cursor=c3']],
    [{}, { limit: 0 }, 0, []],
  ])('list(%j).toArray(%j) has %i items and fetches the pages %j', async (...row) => {
    const [query, limit, items, pages] = row;
    const { client } = clientOf(service);
    expect(await client.apiKeys.list(query).toArray(limit)).toEqual(rows.slice(0, items));
    const paths = pages.map((page) => `/api/auth/api-keys?${page}`);
    expect(service.seen.map(({ path }) => path)).toEqual(paths);
  });

  test.each([-1, 1.5, Number.NaN, '3', null])(
    'toArray({ limit: %j }) is rejected',
    async (limit) => {
      const list = clientOf(service).client.apiKeys.list();
      await expect(list.toArray({ limit } as never)).rejects.toThrow(TypeError);
      expect(service.seen).toHaveLength(0);
    },
  );
});
