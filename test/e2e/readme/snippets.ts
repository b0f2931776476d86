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
    ...snippetsOf(skill, read(skill)).map((one) => ({
      ...one,
      text: one.text + leftOut(one.text),
    })),
    ...sources.flatMap((path) => snippetsOf(path, comments(read(path)))),
  ];
}

const skill = 'skills/contentgen/SKILL.md';

/** What the page's reader has: names that its snippets use and leave to the application. */
const application: Readonly<Record<string, string>> = {
  ContentGen: "import { ContentGen } from 'contentgen';",
  createMockServer: "import { createMockServer } from 'contentgen/mock';",
  createWebhookHandler: "import { createWebhookHandler } from 'contentgen/webhooks';",
  client: 'declare const client: import("contentgen").ContentGen;',
  prompt: 'declare const prompt: string;',
  secret: 'declare const secret: string;',
  save: 'declare const save: (id: string | undefined, text: string) => Promise<void>;',
  notify: 'declare const notify: (usage: number, threshold: number) => void;',
  on: "declare const on: NonNullable<import('contentgen/webhooks').WebhookHandlerOptions['on']>;",
  POST: "declare const POST: import('contentgen/webhooks').WebhookHandler;",
  app: 'declare const app: any;',
  queue: 'declare const queue: { send(raw: object): Promise<void> };',
  raw: "declare const raw: import('contentgen/webhooks').WebhookMessage;",
  redis: "declare const redis: import('contentgen/webhooks/redis').RedisClient;",
  results: 'declare const results: string[];',
  log: 'declare const log: (id: string | undefined, code: string) => void;',
};

/** Declares those that a snippet uses and does not declare. */
function leftOut(text: string): string {
  const code = text.replace(/\/\/.*$/gm, '');
  return Object.entries(application)
    .filter(([name]) => new RegExp(`(?<![.\\w])${name}\\b(?!: )`).test(code))
    .filter(([name]) => !new RegExp(`import [^;']*\\b${name}\\b|const ${name}\\b`).test(code))
    .map(([, line]) => `\n${line}`)
    .join('');
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
