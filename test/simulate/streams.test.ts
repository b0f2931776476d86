import { type Chaos, type SimulateOptions, SimulationError, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { internalsOf } from '../../mock-server/composition/internals.ts';

const inCi = process.env['CI'] === 'true';
const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? (inCi ? 150 : 15));
const chaos: Chaos = {
  cutStream: 0.5,
  unavailable: 0.1,
  rateLimited: 0.02,
  crash: 0.03,
  reorder: 0.2,
};

type Context = Parameters<SimulateOptions<App>['app']>[0];
type Store = ReturnType<Context['disk']['open']>;
interface App {
  /** Shows a page, from where it was; `pieces` are what the user reads before he closes it. */
  open(page: string, pieces?: number): Promise<void>;
}

/** A page as it is saved. */
interface Page {
  readonly text: string;
  readonly requestId?: string;
  readonly lastEventId?: string | undefined;
  readonly isWhole?: boolean;
  /** What the page showed when it was closed. */
  readonly closedAt?: string;
}
type Reading = ReturnType<Context['client']['content']['stream']>;

const load = async (pages: Store, name: string): Promise<Page> =>
  (await pages.get<Page>(name)) ?? { text: '' };

/** The decisions of a resume. Each bug replaces one of them. */
const right = {
  isOver: (page: Page) => page.isWhole === true || page.closedAt !== undefined,
  save: (pages: Store, name: string, page: Page): Promise<void> => pages.set(name, page),
  begin: ({ client }: Context, name: string, _tries: number): Reading =>
    client.content.stream({ prompt: promptOf(name) }, { idempotencyKey: name, maxRetries: 0 }),
  resume: (context: Context, page: Page): Reading => watch(context, page),
};
type Parts = typeof right;

const watch = (
  { client }: Context,
  { requestId = '', lastEventId }: Page,
  after = lastEventId,
): Reading => client.content.watch(requestId, { lastEventId: after, maxRetries: 0 });

const textOf = (name: string) =>
  `Page ${name}: the river ${name} runs on past ${name} towns and into the sea.`;
const promptOf = (name: string) => `[[say: ${textOf(name)}]]`;

function application(bug: Partial<Parts> = {}) {
  const parts: Parts = { ...right, ...bug };
  const app = (context: Context): App => ({
    async open(name, pieces = Number.POSITIVE_INFINITY) {
      const pages = context.disk.open('pages');
      for (let tries = 0; tries < 20; tries += 1) {
        let page = await load(pages, name);
        if (parts.isOver(page)) return;
        const reading = page.requestId
          ? parts.resume(context, page)
          : parts.begin(context, name, tries);
        try {
          let count = 0;
          for await (const piece of reading) {
            const text = page.text + piece;
            count += 1;
            page = { ...page, text, ...reading.toJSON() };
            if (count >= pieces) page = { ...page, closedAt: text };
            await parts.save(pages, name, page);
            if (count >= pieces) break;
          }
          if (count >= pieces) {
            await context.client.content.cancel(`${page.requestId}`).catch(() => {});
            return;
          }
          await reading.final();
          await parts.save(pages, name, { ...page, isWhole: true });
          return;
        } catch (error) {
          if ((error as { code?: string }).code === 'generation_canceled') return;
          await context.clock.sleep(1000);
        }
      }
    },
  });
  const runs = { saved: 0, resumed: 0 };
  const options: SimulateOptions<App> = {
    seeds,
    chaos,
    app,
    async run(context) {
      const show = async (name: string, pieces?: number) => {
        // A crash ends the call; the user reloads.
        for (let tries = 0; tries < 6; tries += 1) {
          const isDone = await context.app.open(name, pieces).then(
            () => true,
            () => false,
          );
          if (isDone) return;
          await context.clock.sleep(2000);
        }
      };
      await Promise.all([show('A'), show('B'), show('C', 2)]);
      await show('C');
    },
    async check({ disk, mock }) {
      const rows = internalsOf(mock).page.list('generations').data;
      for (const name of ['A', 'B', 'C']) {
        const page = await disk.open('pages').get<Page>(name);
        // A generation does not keep its prompt, but the log of the call that began it does.
        const calls = mock.requests().filter(({ body }) => promptIn(body) === promptOf(name));
        const own = rows.filter(({ apiRequestId }) =>
          calls.some(({ requestId }) => requestId === apiRequestId),
        );
        expect(own.length).toBeLessThan(2);
        if (!page) continue;
        expect(textOf(name).slice(0, page.text.length)).toBe(page.text);
        if (page.isWhole) expect(page.text).toBe(textOf(name));
        if (page.closedAt !== undefined) expect(page.text).toBe(page.closedAt);
        if (!page.isWhole) continue;
        runs.saved += 1;
        const id = `/${own[0]?.requestId}`;
        const resumptions = mock
          .requests()
          .filter(({ operation, path }) => operation === 'getGeneration' && path.endsWith(id));
        if (resumptions.length > 0) runs.resumed += 1;
      }
    },
  };
  return { options, runs };
}

const promptIn = (body: unknown): unknown => Object(body).prompt;

test('pages read through cuts, crashes, 429 and 503 are whole and billed once', async () => {
  const { options, runs } = application();
  const result = await simulate(options);
  expect(result.runs).toBe(seeds);
  // Most pages arrive, and most of them with a resumption: the claim is not about nothing.
  expect(runs.saved).toBeGreaterThan(seeds);
  expect(runs.resumed).toBeGreaterThan(seeds / 2);
}, 600_000);

const bugs: Record<string, Partial<Parts>> = {
  'reads the last event again': {
    resume: (context, page) => watch(context, page, `${Math.max(0, Number(page.lastEventId) - 1)}`),
  },
  'bills the rest as another generation': {
    resume: ({ client }) => client.content.stream({ prompt: promptOf('A') }),
  },
  'begins under another key after a failure': {
    begin: ({ client }, name, tries) =>
      client.content.stream(
        { prompt: promptOf(name) },
        { idempotencyKey: `${name}-${tries}`, maxRetries: 0 },
      ),
  },
  'goes on after the page was closed': { isOver: (page) => page.isWhole === true },
  'saves the text before the position': {
    async save(pages, name, page) {
      await pages.set(name, { ...(await load(pages, name)), text: page.text });
      await pages.set(name, page);
    },
  },
};

test.each(Object.keys(bugs))('finds a resume that %s', async (bug) => {
  const { options } = application(bugs[bug]);
  const error = await simulate({ ...options, seeds: 500, shrinkMs: 0 }).catch((reason) => reason);
  expect(error).toBeInstanceOf(SimulationError);
});
