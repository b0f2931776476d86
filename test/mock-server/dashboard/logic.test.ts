import { execFileSync } from 'node:child_process';
import { signWebhook } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { causeOf, reasonOf } from '../../../mock-server/dashboard/logic/delivery.ts';
import { conditionsOf, filtersOf } from '../../../mock-server/dashboard/logic/filters.ts';
import {
  clockOffset,
  logTime,
  money,
  relativeTime,
  shortId,
} from '../../../mock-server/dashboard/logic/format.ts';
import { mergeNewest, replaceRows } from '../../../mock-server/dashboard/logic/merge.ts';
import { signatureSteps } from '../../../mock-server/dashboard/logic/signature-steps.ts';
import {
  type Call,
  curlSnippet,
  requestBody,
  typescriptSnippet,
} from '../../../mock-server/dashboard/logic/snippets.ts';
import {
  followManualClock,
  serverNow,
  setServerTime,
} from '../../../mock-server/dashboard/state/clock.ts';

const call: Call = {
  baseUrl: 'http://127.0.0.1:4010',
  prompt: 'A haiku about TCP',
  model: 'content-1',
  maxTokens: undefined,
  seed: undefined,
  mode: 'response',
  webhookUrl: 'https://app.example/callbacks',
};

const hostile = ["it's", 'a "b"', 'a\\', "\\'", '$(id) `id` $x', 'line\nbreak', '\u2028', '😀'];

describe('the code of the playground', () => {
  test('the curl command passes any prompt through a shell unchanged', () => {
    for (const prompt of hostile) {
      const script = curlSnippet({ ...call, prompt }).replace('curl', "printf '%s\\n'");
      const shown = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
      expect(shown).toContain(JSON.stringify({ prompt, model: 'content-1' }));
    }
  });

  test('the TypeScript code sends the same request as the page, in each mode', async () => {
    for (const mode of ['response', 'stream', 'callback'] as const) {
      for (const prompt of hostile) {
        const shown = { ...call, prompt, mode, seed: 7 };
        const { stream: _, ...expected } = requestBody(shown);
        expect(await run(typescriptSnippet(shown))).toEqual(expected);
      }
    }
  });
});

/** Runs a snippet with a client that only records its request. */
async function run(snippet: string): Promise<unknown> {
  let recorded: unknown;
  class ContentGen {
    content = {
      generate: async (request: unknown) => {
        recorded = request;
        return { usage: {} };
      },
      stream: async function* (request: unknown) {
        recorded = request;
        yield 'text';
      },
    };
  }
  const body = snippet.replace(/^import .*$/m, '');
  const AsyncFunction = run.constructor as FunctionConstructor;
  const quiet = { log: () => {} };
  const standIn = { env: {}, stdout: { write: () => true } };
  await new AsyncFunction('ContentGen', 'console', 'process', body)(ContentGen, quiet, standIn);
  return recorded;
}

describe('the rows of a list', () => {
  const page = (data: number[], complete = false) => ({ data, total: 9, complete });
  const merged = (held: ReturnType<typeof page>, fresh: ReturnType<typeof page>) =>
    mergeNewest(held, fresh, String);

  test('a fresh first page is merged with the loaded rows where they overlap', () => {
    expect(merged(page([5, 4, 3, 2, 1]), page([7, 6, 5]))).toEqual(page([7, 6, 5, 4, 3, 2, 1]));
    expect(merged(page([5, 4, 3], true), page([7, 6, 5, 4]))).toEqual(page([7, 6, 5, 4, 3], true));
    expect(merged(page([]), page([2, 1]))).toEqual(page([2, 1]));
  });

  test('rows of the fresh page that no longer match are dropped, older ones stay', () => {
    expect(merged(page([6, 5, 4, 3, 2]), page([7, 5, 3]))).toEqual(page([7, 5, 3, 2]));
  });

  test('without an overlap, rows are missing in between', () => {
    expect(merged(page([3, 2, 1]), page([9, 8, 7]))).toBeUndefined();
    expect(merged(page([3, 2, 1]), page([], true))).toEqual(page([], true));
    expect(merged(page([3, 2, 1]), page([9], true))).toEqual(page([9], true));
  });

  test('older rows that changed are replaced, or dropped when they no longer match', () => {
    const held = { ...page([]), data: ['a1', 'b1', 'c1'] };
    const key = (row: string) => row.slice(0, 1);
    const { data } = replaceRows(held, new Set(['a', 'b']), ['b2'], key);
    expect(data).toEqual(['b2', 'c1']);
  });
});

describe('the state of a delivery', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const attempt = { at: '2026-01-01T00:00:00Z', durationMs: 1 };
  const shown = (delivery: Partial<Parameters<typeof causeOf>[0]>) =>
    causeOf({ status: 'pending', attempts: [], ...delivery }, now);

  test('the cause and the next attempt are in one line', () => {
    const failed = [{ ...attempt, status: 404, error: 'status' as const }];
    const nextAttemptAt = '2026-01-01T00:02:10Z';
    expect(shown({ attempts: failed, nextAttemptAt })).toEqual({
      tone: 'warn',
      text: 'retrying · 404 · next in 2 min',
    });
    expect(shown({ attempts: failed }).text).toBe('retrying · 404 · attempting now');
    expect(shown({ status: 'failed', attempts: failed })).toEqual({
      tone: 'bad',
      text: 'failed · 404',
    });
    const unreachable = [{ ...attempt, error: 'refused_address' as const }];
    expect(shown({ status: 'failed', attempts: unreachable }).text).toBe(
      'failed · refused address',
    );
  });

  test('one that was never attempted, or is resent, is queued', () => {
    expect(shown({})).toEqual({ tone: 'accent', text: 'queued' });
    const attempts = [{ ...attempt, status: 200 }];
    expect(shown({ attempts, attemptsBefore: 1 }).text).toBe('queued');
    expect(shown({ status: 'delivered', attempts }).text).toBe('delivered · 200');
    expect(shown({ status: 'canceled' }).text).toBe('canceled');
  });
});

test('the reason for a failed response does not promise another attempt', () => {
  const attempt = { at: '2026-01-01T00:00:00Z', durationMs: 1, status: 503, error: 'status' };
  expect(reasonOf(attempt as Parameters<typeof reasonOf>[0])).not.toMatch(/retr/);
});

describe('the filters in an address', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');

  test('a range counts back from the time of the server, and a time is used unchanged', () => {
    const conditions = (search: string) =>
      conditionsOf(filtersOf(new URLSearchParams(search)), now);
    expect(conditions('status=failed&since=24h&own=yes&other=1')).toEqual({
      status: 'failed',
      since: '2026-01-01T00:00:00.000Z',
    });
    expect(conditions('since=2026-01-01T12:00:00Z').since).toBe('2026-01-01T12:00:00.000Z');
    expect(conditions('since=soon')).toEqual({});
    expect(conditions('')).toEqual({});
  });
});

describe('a signature, step by step', async () => {
  const secret = `whsec_${btoa('k'.repeat(32))}`;
  const body = '{"event":"data_updated"}';
  const timestamp = 1_767_225_600;
  const headers = await signWebhook({ id: 'msg_1', timestamp, body, secret });
  const at = timestamp * 1000;
  const fails = async (input: Partial<Parameters<typeof signatureSteps>[0]>) => {
    const steps = await signatureSteps({ headers, body, secret, at, ...input });
    return steps.filter(({ ok }) => !ok).map(({ title }) => title);
  };

  test('every step passes for a valid signature', async () => {
    expect(await fails({})).toEqual([]);
  });

  test('a failure is reported at its step', async () => {
    const compare = 'Compare with each signature in the header';
    const verdict = 'Result of verifyWebhook()';
    expect(await fails({ body: `${body} ` })).toEqual([compare, verdict]);
    expect(await fails({ secret: `whsec_${btoa('x'.repeat(32))}` })).toEqual([compare, verdict]);
    expect(await fails({ secret: 'whsec_short' })).toEqual(['Decode the key']);
    expect(await fails({ headers: {} })).toEqual(['Read the headers']);
    expect(await fails({ at: at + 301_000 })).toEqual([
      'Check that the timestamp is within 300 s',
      verdict,
    ]);
  });
});

test('times, amounts and ids are short and exact', () => {
  expect(relativeTime(0, 61_000)).toBe('1 min. ago');
  expect(relativeTime(7_200_000, 0)).toBe('in 2 hr.');
  expect(relativeTime(1000, 0)).toBe('just now');
  const noon = Date.parse('2026-01-02T12:00:00.204Z');
  expect(logTime(noon, noon + 1000)).toBe('12:00:00.204');
  expect(logTime(noon, noon + 86_400_000), 'another day').toBe('01-02 12:00:00');
  expect(clockOffset(59_000)).toBeUndefined();
  expect(clockOffset(3 * 86_400_000)).toBe('3 days ahead');
  expect(clockOffset(-3_600_000)).toBe('1 hour behind');
  expect(money(4200, 'usd')).toBe('$42.00');
  expect(money(4200, 'jpy')).toBe('¥4,200');
  expect(money(1, 'no such currency')).toBe('1 no such currency');
  expect(shortId('gen_01kdvsz0g0q7gd8tkm0qz3pj5a')).toBe('gen_…z3pj5a');
  expect(shortId('org_acme')).toBe('org_acme');
});

test('an event that arrives after the clock was advanced does not turn it back', () => {
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  setServerTime(start, 'manual');
  followManualClock(start + 5000);
  expect(serverNow.value).toBe(start + 5000);
  setServerTime(start + 86_400_000);
  followManualClock(start + 5000);
  expect(serverNow.value).toBe(start + 86_400_000);
});
