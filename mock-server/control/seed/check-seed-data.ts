import { isObject } from '../../api/validate.ts';
import { isWellFormedKey } from '../../domain/api-keys.ts';
import type { Settings } from '../../domain/context.ts';
import { checkCallbackUrl } from '../../domain/delivery/url-policy.ts';
import { systemEvents } from '../../domain/event-names.ts';
import { isSecret } from '../../domain/organizations.ts';
import { milliseconds } from '../arguments.ts';
import { readInstant } from '../clock/advance-clock.ts';
import type {
  SeedGeneration,
  SeedKey,
  SeedOrganization,
  SeedPath,
  SeedRecords,
  SeedWebhook,
} from './seed-data.ts';

/** The first mistake in seed data. */
export interface SeedMistake {
  readonly path: SeedPath;
  /** Continues a sentence that starts with the path: `must be 'admin' or 'member'.` */
  readonly problem: string;
}

/** What the rules depend on. */
export interface SeedFacts {
  readonly settings: Settings;
  /** When the server starts, in ms. */
  readonly now: number;
}

/** Returns what is wrong with a value, as the rest of a sentence; undefined if nothing is. */
type Rule = (value: unknown, facts: SeedFacts) => string | undefined;
type Fields<T> = Readonly<Record<keyof T, Rule>>;

const MAX_PROMPT_CHARS = 100_000;
const MAX_PAIRS = 16;
const ULID = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const AGO = / ago$/;

const when =
  (valid: (value: unknown) => boolean, problem: string): Rule =>
  (value) =>
    valid(value) ? undefined : problem;
const text = (least: number, most: number) =>
  when(
    (value) => typeof value === 'string' && value.length >= least && value.length <= most,
    `must be a string of ${least} to ${most} characters.`,
  );
const pattern = (regex: RegExp, problem: string) =>
  when((value) => typeof value === 'string' && regex.test(value), problem);
const oneOf = (...values: readonly string[]) =>
  when((value) => values.includes(value as string), `must be one of ${values.join(', ')}.`);
const id = (prefix: string) =>
  pattern(
    new RegExp(`^${prefix}_${ULID}$`),
    `must be ${prefix}_ followed by a ULID in lower case, such as ${prefix}_01kdvsz0g0b2h8x1d6v0r9e4ta.`,
  );
const ownerId = pattern(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -.');
const secret = when(
  (value) => typeof value === 'string' && isSecret(value),
  'must be whsec_ followed by 24 to 64 bytes in padded standard base64.',
);
const past: Rule = (value, { now }) => {
  const at = readSeedTime(value, now);
  if (at === undefined) return "must be a time such as 2026-02-01T00:00:00Z, or '3 days ago'.";
  return at > now ? 'must not be later than the start of the server.' : undefined;
};
const url: Rule = (value, { settings }) => {
  const checked = checkCallbackUrl(String(value), settings);
  return checked.ok ? undefined : `is not allowed: ${checked.message}`;
};

const KEY: Fields<SeedKey> = {
  id: id('key'),
  name: text(1, 100),
  role: oneOf('admin', 'member'),
  key: when(
    (value) => typeof value === 'string' && isWellFormedKey(value),
    'must have the format and checksum of an API key (cg_test_…).',
  ),
  expiresAt: when(
    (value) => value !== 'now' && readInstant(value) !== undefined,
    'must be a time such as 2026-02-01T00:00:00Z.',
  ),
  revokedAt: past,
  createdAt: past,
};

const WEBHOOK: Fields<SeedWebhook> = {
  id: id('wh'),
  event: oneOf(...systemEvents),
  url,
  description: text(0, 500),
  threshold: when(
    (value) => typeof value === 'number' && value > 0 && value <= 1,
    'must be a number above 0 and at most 1.',
  ),
  secret,
  token: pattern(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 visible ASCII characters.'),
  status: oneOf('enabled', 'disabled'),
  createdAt: past,
};

const GENERATION: Fields<SeedGeneration> = {
  id: id('gen'),
  prompt: text(1, MAX_PROMPT_CHARS),
  status: oneOf('completed', 'failed', 'canceled'),
  result: when((value) => typeof value === 'string', 'must be a string.'),
  model: (value, { settings: { models } }) =>
    models.includes(value as string) ? undefined : `must be one of ${models.join(', ')}.`,
  error: text(1, 1000),
  webhookUrl: url,
  metadata: when(
    (value) =>
      isObject(value) &&
      Object.keys(value).length <= MAX_PAIRS &&
      Object.values(value).every((one) => typeof one === 'string'),
    'must be at most 16 pairs of strings. Put numbers in quotes.',
  ),
  createdAt: past,
};

const list = when(Array.isArray, 'must be a list.');
const RECORDS: Fields<SeedRecords> = { keys: list, webhooks: list, generations: list };
const ORGANIZATION: Fields<SeedOrganization> = {
  ...RECORDS,
  id: ownerId,
  project: ownerId,
  quota: when(
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    'must be a whole number of at least 0.',
  ),
  signingSecret: secret,
};
const ROOT = { ...RECORDS, organizations: list };

/** Reads a time in ms. */
export function readSeedTime(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string' || value === 'now') return undefined;
  if (!AGO.test(value)) return readInstant(value);
  try {
    return now - milliseconds(value.replace(AGO, '') as `${number} days`);
  } catch {
    return undefined;
  }
}

/** Returns the first mistake. */
export function findSeedMistake(data: unknown, facts: SeedFacts): SeedMistake | undefined {
  const root = checkFields(data, [], ROOT, [], facts);
  if (root) return root;
  const { organizations = [], ...records } = data as { organizations?: unknown[] };
  return (
    checkRecords(records, [], facts) ??
    firstOf(organizations, ['organizations'], (organization, path) => {
      const mistake = checkFields(organization, path, ORGANIZATION, [], facts);
      return mistake ?? checkRecords(organization as SeedRecords, path, facts);
    }) ??
    findRepeated(data)
  );
}

function checkRecords(
  { keys = [], webhooks = [], generations = [] }: SeedRecords,
  path: SeedPath,
  facts: SeedFacts,
): SeedMistake | undefined {
  return (
    firstOf(keys, [...path, 'keys'], (key, at) => checkFields(key, at, KEY, [], facts)) ??
    firstOf(webhooks, [...path, 'webhooks'], (webhook, at) => {
      const mistake = checkFields(webhook, at, WEBHOOK, ['event', 'url'], facts);
      if (mistake) return mistake;
      const { event, threshold } = webhook as SeedWebhook;
      if (threshold === undefined || event === 'usage_threshold') return undefined;
      return { path: [...at, 'threshold'], problem: 'is only for the event usage_threshold.' };
    }) ??
    firstOf(generations, [...path, 'generations'], (generation, at) => {
      const mistake = checkFields(generation, at, GENERATION, ['prompt'], facts);
      return mistake ?? checkOutcome(generation as SeedGeneration, at);
    })
  );
}

function checkOutcome(generation: SeedGeneration, at: SeedPath): SeedMistake | undefined {
  const { status = 'completed', result, error } = generation;
  if (status === 'completed' && result === undefined) {
    return { path: at, problem: 'has no result. A completed generation needs one.' };
  }
  if (status !== 'completed' && result !== undefined) {
    return { path: [...at, 'result'], problem: 'is only for completed generations.' };
  }
  if (status !== 'failed' && error !== undefined) {
    return { path: [...at, 'error'], problem: 'is only for failed generations.' };
  }
  return undefined;
}

function checkFields(
  value: unknown,
  path: SeedPath,
  rules: Readonly<Record<string, Rule>>,
  required: readonly string[],
  facts: SeedFacts,
): SeedMistake | undefined {
  if (!isObject(value)) {
    return { path, problem: `must be a mapping of ${Object.keys(rules).join(', ')}.` };
  }
  for (const [name, member] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const problem = rule
      ? member === undefined
        ? undefined
        : rule(member, facts)
      : `does not exist. The fields are ${Object.keys(rules).join(', ')}.`;
    if (problem !== undefined) return { path: [...path, name], problem };
  }
  const missing = required.find((name) => value[name] === undefined);
  return missing === undefined ? undefined : { path, problem: `needs the field ${missing}.` };
}

function firstOf(
  values: readonly unknown[],
  path: SeedPath,
  check: (value: unknown, path: SeedPath) => SeedMistake | undefined,
): SeedMistake | undefined {
  for (const [index, value] of values.entries()) {
    const mistake = check(value, [...path, index]);
    if (mistake) return mistake;
  }
  return undefined;
}

/** Ids, projects and keys must be unique across the server. */
function findRepeated(data: unknown): SeedMistake | undefined {
  const seen = new Set<unknown>();
  const walk = (value: unknown, path: SeedPath): SeedMistake | undefined => {
    if (Array.isArray(value)) return firstOf(value, path, walk);
    if (!isObject(value)) return undefined;
    for (const [name, member] of Object.entries(value)) {
      const at = [...path, name];
      if (name === 'metadata') continue;
      if (name !== 'id' && name !== 'project' && name !== 'key') {
        const mistake = walk(member, at);
        if (mistake) return mistake;
      } else if (member !== undefined && seen.has(member)) {
        return { path: at, problem: 'is given twice. Each must be unique.' };
      } else seen.add(member);
    }
    return undefined;
  };
  return walk(data, []);
}
