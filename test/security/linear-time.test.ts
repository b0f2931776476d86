import ts from 'typescript';
import { expect, test } from 'vitest';
import { hideQuotations } from '../../src/quotations.ts';
import { contractServer, GENERATE } from '../mock-server/service/helpers.ts';
import { sources } from '../support/sources.ts';
import { expressionsOf } from './expressions.ts';
import { cpuTime, findSlow, isSuperlinear, pumpsOf } from './pump.ts';

const parsed = (text: string) => {
  const tree = ts.createSourceFile('planted.ts', text, ts.ScriptTarget.Latest, true);
  return { path: 'planted.ts', text, tree, imports: [] };
};

/** Each expression once, however often it is written. */
async function slowIn(files: Parameters<typeof expressionsOf>[0]) {
  const expressions = new Map(expressionsOf(files).map((one) => [`${one.pattern}`, one]));
  const found: object[] = [];
  for (const { place, pattern } of expressions.values()) {
    const pumped = await findSlow(pattern);
    if (pumped) found.push({ place, pattern, ...pumped });
  }
  return found;
}

test('no regular expression of the house takes more than linear time', async () => {
  expect(await slowIn(sources('src/**/*.ts', 'mock-server/**/*.{ts,tsx}'))).toEqual([]);
}, 300_000);

test('the same search finds a slow literal, and a slow text', async () => {
  const planted = parsed(String.raw`
    const exponential = /^(?:\w+-?)+$/;
    const linear = /^[a-z]+=\d+$/;
    const quadratic = new RegExp('\\s*:\\s*$', 'g');`);
  expect(await slowIn([planted])).toMatchObject([
    { place: 'planted.ts:2' },
    { place: 'planted.ts:4' },
  ]);
});

test('an expression of a text from outside is no expression of the house', async () => {
  const planted = parsed('const find = (word: string) => new RegExp(word);');
  await expect(slowIn([planted])).rejects.toThrow('planted.ts:1 builds an expression from a value');
});

test('every repetition without an end is pumped with what it repeats', () => {
  const pumps = pumpsOf(/\[\[\s*(?:fail|say)\b\s*([^\]]*?)\]\]/).map(({ pump }) => pump);
  expect(pumps).toEqual(expect.arrayContaining([' ', '[[', '[[fail']));
});

test.each<[string, number, (copies: number) => [string, unknown?]]>([
  ['a directive without an end', 1000, (n) => [GENERATE, { prompt: `[[say${' '.repeat(n)}` }]],
  ['many directives without an end', 8000, (n) => [GENERATE, { prompt: '[[say'.repeat(n) }]],
  ['a topic of blanks', 8000, (n) => [GENERATE, { prompt: `about${' '.repeat(n)}` }]],
  ['many topics', 8000, (n) => [GENERATE, { prompt: 'about '.repeat(n) }]],
  ['many beginnings of a token', 20_000, (n) => [GENERATE, { prompt: 'eyJ'.repeat(n) }]],
  ['the same outside the API', 20_000, (n) => ['/health', { prompt: 'eyJ'.repeat(n) }]],
  ['the same in a path', 2500, (n) => [`/api/${'eyJ'.repeat(n)}`]],
  ['the same in a query', 2500, (n) => [`/api/usage?${'key='.repeat(n)}`]],
])('%s costs linear time', async (_, copies, request) => {
  const send = async (count: number) => {
    const { call, mock } = contractServer();
    const [path, body] = request(count);
    const start = process.threadCpuUsage();
    await call(
      body === undefined ? 'GET' : 'POST',
      path,
      body,
      path === GENERATE ? {} : { key: null },
    );
    await mock.settle();
    mock.requests();
    return cpuTime(start);
  };
  expect(await isSuperlinear(send, copies * 2)).toBe(false);
});

test.each([
  ['parts of a prompt', 'about the velvet otter', 'about the velvet', 2000],
  ['a prompt of one letter', 'p', 'p ', 20_000],
  ['what could be base64', 'about the velvet otter', 'ab+/', 2500],
  ['what could be hex', 'about the velvet otter', '6162', 2500],
  ['escapes', 'about the velvet otter', '%2561', 2500],
])(
  'to look for quotations of a prompt among %s costs linear time',
  async (_, word, pump, copies) => {
    const look = async (count: number) => {
      const prompt = word.length > 1 ? `${word}, `.repeat(count) : word;
      const start = process.threadCpuUsage();
      hideQuotations([prompt], '…')(`x${pump}`.repeat(count));
      return cpuTime(start);
    };
    expect(await isSuperlinear(look, copies * 2)).toBe(false);
  },
);
