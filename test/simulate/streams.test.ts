import { type SimulateOptions, SimulationError, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';

const inCi = process.env['CI'] === 'true';
const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? (inCi ? 500 : 100));
const chaos = { cutStream: 0.5, unavailable: 0.1, rateLimited: 0.02, crash: 0.01, reorder: 0.2 };

type Context = Parameters<SimulateOptions<object>['app']>[0];
type Page = { text: string; requestId: string; result: string };

/** A page that streams a text and saves what it has shown; `read` decides how. */
function application(read: (context: Context, show: (piece: string) => void) => Promise<object>) {
  return {
    seeds,
    chaos,
    reproductions: false as const,
    app: (context: Context) => ({
      async open() {
        let text = '';
        const generation = await read(context, (piece) => {
          text += piece;
        });
        await context.disk.open('pages').set('page', { ...generation, text });
      },
    }),
    run: ({ app }: { app: { open(): Promise<void> } }) => app.open().catch(() => {}),
    async check({ disk, mock }: { disk: Context['disk']; mock: Context['mock'] }) {
      const page = (await disk.open('pages').get('page')) as Page | undefined;
      if (page) expect(page.text).toBe(page.result);
      const { data: billed } = mock.search('generations', { status: 'completed' });
      if (page) expect(billed).toHaveLength(1);
    },
  } as unknown as SimulateOptions<object>;
}

const stream = ({ client }: Context, options = {}) =>
  client.content.stream({ prompt: 'Tell me about rivers in 30 words' }, options);

test('a stream read through cuts, 429 and 503 is whole and billed once', async () => {
  const { runs } = await simulate(
    application(async (context, show) => {
      const reading = stream(context);
      for await (const piece of reading) show(piece);
      return reading.final();
    }),
  );
  expect(runs).toBe(seeds);
}, 300_000);

type Read = Parameters<typeof application>[0];
/** A home-made resume: reads until it breaks, then goes on as `resume` says. */
const homeMade =
  (
    resume: (
      context: Context,
      show: (piece: string) => void,
      seen: { requestId: string; lastEventId: string; text: string },
    ) => Promise<object>,
  ): Read =>
  async (context, show) => {
    const reading = stream(context, { maxRetries: 0 });
    let text = '';
    try {
      for await (const piece of reading) {
        text += piece;
        show(piece);
      }
      return await reading.final();
    } catch {
      const { requestId = '', lastEventId = '0' } = reading.toJSON() ?? {};
      return resume(context, show, { requestId, lastEventId, text });
    }
  };
const watch = async (
  { client }: Context,
  show: (piece: string) => void,
  requestId: string,
  lastEventId?: string,
) => {
  const rest = client.content.watch(requestId, { lastEventId });
  for await (const piece of rest) show(piece);
  return rest.final();
};

const bugs: Record<string, Read> = {
  'reads the last event again': homeMade((context, show, { requestId, lastEventId }) =>
    watch(context, show, requestId, `${Math.max(0, Number(lastEventId) - 1)}`),
  ),
  'skips an event': homeMade((context, show, { requestId, lastEventId }) =>
    watch(context, show, requestId, `${Number(lastEventId) + 1}`),
  ),
  'replays from the beginning': homeMade((context, show, { requestId }) =>
    watch(context, show, requestId),
  ),
  'starts another generation': homeMade(async (context, show) => {
    const again = stream(context);
    for await (const piece of again) show(piece);
    return again.final();
  }),
};

test.each(Object.keys(bugs))('finds a home-made resume that %s', async (bug) => {
  const options = { ...application(bugs[bug] as Read), seeds: 100, shrinkMs: 0 };
  const error = await simulate(options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SimulationError);
});
