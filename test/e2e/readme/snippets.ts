import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { files, root } from '../../support/sources.ts';

/** A fenced `ts` or `tsx` block of a page, or of an `@example` in the sources. */
export interface Snippet {
  /** Page and number, `README.md 2`. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** Marked as `ts run`: it is executed too, against the reference server. */
  readonly run: boolean;
}

/** Stands for an API key wherever a page shows one. */
export const shownKey = 'cg_test_…';

export function snippets(): Snippet[] {
  const pages = files('*.md', 'docs/*.md');
  const sources = files('src/**/*.ts', 'mock-server/**/*.ts');
  return [
    ...pages.flatMap((path) => snippetsOf(path, read(path))),
    ...sources.flatMap((path) => snippetsOf(path, comments(read(path)))),
  ];
}

/** What a page says that a snippet logs: the comment after `console.log(…)`, `…` standing for anything. */
export function promisedOutput({ text }: Snippet): RegExp[] {
  const promises = text.matchAll(/console\.log\(.*\);? *\/\/ (.+)$/gm);
  return [...promises].map(([, promise = '']) => {
    const parts = promise
      .trim()
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}$`);
  });
}

/** The snippets of one page. */
export function snippetsOf(path: string, text: string): Snippet[] {
  const fences = text.matchAll(/^```(tsx?)( run| check)?\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, language = 'ts', mode, body = ''], i) => ({
    name: `${path} ${i + 1}`,
    file: `${path.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}-${i + 1}.${language}`,
    text: body,
    run: mode === ' run',
  }));
}

/** The text of the doc comments of a source file, without their stars. */
export function comments(text: string): string {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)]
    .map(([comment]) => comment.replace(/^\s*\* ?/gm, '').replace(/\*\/$/, ''))
    .join('\n');
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
