import { type ClientOptions, ContentGen } from 'contentgen';
import type { MockServer } from 'contentgen/mock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hideInternals, internalsOf } from '../../../mock-server/composition/internals.ts';
import { type Break, cutBody } from '../../client/support/cut-body.ts';
import { begun, ended, whole } from '../../client/support/generated-text.ts';

const POSITIONS = 200;
/** How many streams are read at the same time. */
const AT_ONCE = 25;
const IDLE_MS = 150;
/** The same before the head of a response has arrived. */
const HEAD_MS = 1000;

/** A mock and a way to it that cuts the first response to each idempotency key after as many bytes as the key says. */
export interface Door {
  readonly mock: MockServer;
  /** What a client needs to go through it. */
  readonly options: ClientOptions;
  /** What it has sent so far and not cut. Default: only bodies pass through it. */
  readonly sent?: () => Uint8Array;
}
export type OpenDoor = (how: Break) => Promise<Door>;

/** How much of the response to a new idempotency key is sent; `undefined` if all of it. */
export function cutsOnce(): (key: string | null | undefined) => number | undefined {
  const cut = new Set<string>();
  return (key) => {
    if (!key || !/^\d+$/.test(key) || cut.has(key)) return undefined;
    cut.add(key);
    return Number(key);
  };
}

/** The mock for a door in the same process. */
export function cutting(mock: MockServer, how: Break): MockServer {
  const limitOf = cutsOnce();
  const internals = internalsOf(mock);
  const { routes, handle } = internals;
  const cut: MockServer = Object.create(mock);
  hideInternals(cut, {
    ...internals,
    // MSW looks through them one by one, for each request.
    routes: routes.filter(({ path }) => path.startsWith('/api/ai/content/generate')),
    handle(request, make = (body, init) => new Response(body, init)) {
      const limit = limitOf(request.headers.get('idempotency-key'));
      return handle(request, (body, init) => {
        const isCut = limit !== undefined && body instanceof ReadableStream;
        return make(isCut ? cutBody(body, limit, how) : body, init);
      });
    },
  });
  return cut;
}

interface Event {
  readonly id: number;
  readonly name: string;
  readonly data: { readonly delta?: string; readonly result?: string };
}
const parse = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [, id, name = '', data = ''] =
        /^id: (\d+)\nevent: generation\.(\w+)\ndata: (.+)$/.exec(event) ?? [];
      return { id: Number(id), name, data: JSON.parse(data) };
    });

/** Every boundary between two events, the middle of every event, the end event's lines, and evenly between them. */
function positionsIn(sent: Uint8Array): number[] {
  // Of this encoding, each byte is a character.
  const text = new TextDecoder('latin1').decode(sent);
  const end = text.lastIndexOf('\n\n');
  const lastEvent = text.lastIndexOf('id: ');
  const lastEventLine = text.indexOf('\n', lastEvent) + 1;
  const chosen = new Set([0, lastEventLine, text.indexOf('\n', lastEventLine) + 1, end + 1]);
  let start = 0;
  for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n', start)) {
    chosen.add((start + at) >> 1).add(at + 1);
    start = at + 2;
    if (at < end) chosen.add(start);
  }
  expect(chosen.size).toBeLessThan(POSITIONS);
  for (let n = 1; chosen.size < POSITIONS; n += 1) {
    chosen.add(Math.floor((n * 0.618_033_988_75 * end) % end));
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Reads a stream with each cut, at one in `share` of the positions. */
export function cutEverywhere(name: string, open: OpenDoor, how: Break, share: number): void {
  test(`${name}, a stream that ${how} at any of ${POSITIONS} positions arrives whole, each event once, billed once`, async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0); // Retries then wait no time.
    onTestFinished(() => random.mockRestore());
    const { mock, sent, options } = await open(how);
    const retries: Record<string, number> = {};
    const client = new ContentGen({
      apiKey: mock.adminKey,
      dangerouslyAllowBrowser: true,
      logLevel: 'off',
      maxRetries: 20, // A busy machine can run into the short time-outs several times.
      ...(how === 'falls silent' && { idleTimeout: IDLE_MS, timeout: HEAD_MS }),
      ...options,
      onRetry({ idempotencyKey: key }) {
        // What resumes a stream has none, and a busy machine can run into a time-out there too.
        if (key) retries[key] = (retries[key] ?? 0) + 1;
      },
    });
    const readAll = async (idempotencyKey: string, reader = client) => {
      const stream = reader.content.stream({ prompt: 'p' }, { idempotencyKey });
      const parts: Uint8Array[] = [];
      await stream
        .toReadableStream()
        .pipeTo(new WritableStream({ write: (part) => void parts.push(part) }));
      return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    };
    const patient = client.withOptions({ idleTimeout: 60_000, timeout: 60_000 });
    const body = await readAll('whole', patient);
    const all = positionsIn(sent?.() ?? body);
    const cuts = all.filter((_, index) => index % share === 0);
    const readCut = async (cut: number) => {
      const events = parse(new TextDecoder().decode(await readAll(`${cut}`)));
      const ids = events.map(({ id }) => id);
      expect(ids, `ids after a cut at ${cut}`).toEqual([...new Set(ids)].sort((a, b) => a - b));
      const text = events.map(({ data }) => data.delta ?? '').join('');
      const ends = events.filter(({ name }) => !/^(started|delta)$/.test(name));
      expect({ cut, text, ends: ends.map(({ data }) => data.result) }).toEqual({
        cut,
        text: whole,
        ends: [whole],
      });
    };
    for (let from = 0; from < cuts.length; from += AT_ONCE) {
      await Promise.all(cuts.slice(from, from + AT_ONCE).map(readCut));
    }
    expect(Object.keys(retries).map(Number)).toEqual(cuts);
    if (how === 'is reset') expect(new Set(Object.values(retries))).toEqual(new Set([1]));
    expect([begun(mock), ended(mock)]).toEqual([cuts.length + 1, cuts.length + 1]);
  });
}
