import ts from 'typescript';
import { expect, test } from 'vitest';
import { atModuleLevel, linesOfCode, platformUses } from './syntax.ts';

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true);
}

test('lines of code leave out blank lines and comments, and count each line of a template', () => {
  const text = `/**
 * A comment.
 */
export function f(): string { // comment
  // nothing

  return \`a

  b\`;
}
`;
  expect(linesOfCode(parse(text))).toBe(5);
});

test('a global is read at module level in an initializer, a static field and a base class', () => {
  const text = `
    const send = globalThis.fetch;
    class A extends Request { static headers = new Headers(); }
  `;
  const names = atModuleLevel(parse(text));
  expect(names).toEqual(expect.arrayContaining(['fetch', 'Request', 'Headers']));
});

test('a global in a function, a type or a field is read later or never', () => {
  const text = `
    interface Options { fetch: (request: Request) => Promise<Response> }
    export function f() { return new FormData(); }
    class A { headers = new Headers(); }
    const options = { fetch: 1 };
  `;
  const names = atModuleLevel(parse(text));
  for (const name of ['fetch', 'Request', 'Response', 'FormData', 'Headers']) {
    expect(names).not.toContain(name);
  }
});

test('uses of clock, timers and randomness are found everywhere', () => {
  const text = `
    export const f = () => [Date.now(), new Date(), new Date, Math.random(), new Date(0)];
    setTimeout(() => {}, 1);
    const time = Date.now;
  `;
  const uses = platformUses(parse(text));
  expect(uses.filter((use) => use === 'Date.now')).toHaveLength(2);
  expect(uses.filter((use) => use === 'new Date()')).toHaveLength(2);
  expect(uses).toEqual(expect.arrayContaining(['Math.random', 'setTimeout']));
});
