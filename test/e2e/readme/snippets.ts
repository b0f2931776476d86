import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { files, root } from '../../support/sources.ts';

/** A fenced `ts` or `tsx` block in a page or in a doc comment. */
export interface Snippet {
  /** Page and number, `README.md 2`. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** Marked as `ts run`, so it is also executed against the reference server. */
  readonly run: boolean;
}

export function snippets(): Snippet[] {
  const pages = files('*.md', 'docs/*.md');
  const sources = files('src/**/*.ts', 'mock-server/**/*.ts');
  return [
    ...pages.flatMap((path) => snippetsOf(path, read(path))),
    ...sources.flatMap((path) => snippetsOf(path, comments(read(path)))),
  ];
}

/** The output that a snippet promises: the comment after `console.log(…)`, where `…` matches anything. */
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

/** All snippets of one page. */
export function snippetsOf(path: string, text: string): Snippet[] {
  const fences = text.matchAll(/^```(tsx?)( run| check)?\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, language = 'ts', mode, body = ''], i) => ({
    name: `${path} ${i + 1}`,
    file: `${path.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}-${i + 1}.${language}`,
    text: body,
    run: mode === ' run',
  }));
}

/** The text of a source file's doc comments, without the asterisks. */
export function comments(text: string): string {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)]
    .map(([comment]) => comment.replace(/^\s*\* ?/gm, '').replace(/\*\/$/, ''))
    .join('\n');
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
