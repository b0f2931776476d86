import { keyRule } from '../../domain/api-keys.ts';
import type { Settings } from '../../domain/context.ts';
import { systemEvents } from '../../domain/event-names.ts';
import {
  count,
  isObject,
  matches,
  mustBe,
  type OptionRule,
  type OptionRules,
  oneOf,
} from '../../domain/options.ts';
import { isSecret, secretFormat } from '../../domain/signing-secrets.ts';
import { checkCallbackUrl } from '../../domain/url-policy.ts';
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

const MAX_PROMPT_CHARS = 100_000;
const MAX_PAIRS = 16;
const ULID = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const AGO = / ago$/;

const chars = (least: number, most: number) =>
  mustBe(
    `a string of ${least} to ${most} characters`,
    (value) => typeof value === 'string' && value.length >= least && value.length <= most,
  );
const id = (prefix: string) =>
  mustBe(
    `${prefix}_ followed by a ULID in lower case, such as ${prefix}_01kdvsz0g0b2h8x1d6v0r9e4ta`,
    matches(new RegExp(`^${prefix}_${ULID}$`)),
  );
const ownerId = mustBe('1 to 64 letters, digits, _ and -', matches(/^[\w-]{1,64}$/));
const secret = mustBe(secretFormat, (value) => typeof value === 'string' && isSecret(value));
const list = mustBe('a list', Array.isArray);

const RECORDS: OptionRules<SeedRecords> = { keys: list, webhooks: list, generations: list };
const ORGANIZATION: OptionRules<SeedOrganization> = {
  ...RECORDS,
  id: ownerId,
  project: ownerId,
  quota: count,
  signingSecret: secret,
};
const ROOT = { ...RECORDS, organizations: list };

interface RecordRules {
  readonly key: OptionRules<SeedKey>;
  readonly webhook: OptionRules<SeedWebhook>;
  readonly generation: OptionRules<SeedGeneration>;
}

function rulesOfRecords({ settings, now }: SeedFacts): RecordRules {
  const past: OptionRule = (value) => {
    const at = readSeedTime(value, now);
    if (at === undefined) return "must be a time such as 2026-02-01T00:00:00Z, or '3 days ago'.";
    return at > now ? 'must not be later than the start of the server.' : undefined;
  };
  const url: OptionRule = (value) => {
    const checked = checkCallbackUrl(String(value), settings);
    return checked.ok ? undefined : `is not allowed: ${checked.message}`;
  };
  return {
    key: {
      id: id('key'),
      name: chars(1, 100),
      role: oneOf(['admin', 'member']),
      key: keyRule,
      expiresAt: mustBe(
        'a time such as 2026-02-01T00:00:00Z',
        (value) => value !== 'now' && readInstant(value) !== undefined,
      ),
      revokedAt: past,
      createdAt: past,
    },
    webhook: {
      id: id('wh'),
      event: oneOf(systemEvents),
      url,
      description: chars(0, 500),
      threshold: mustBe(
        'a number above 0 and at most 1',
        (value) => typeof value === 'number' && value > 0 && value <= 1,
      ),
      secret,
      token: mustBe('16 to 256 visible ASCII characters', matches(/^[\x21-\x7e]{16,256}$/)),
      status: oneOf(['enabled', 'disabled']),
      createdAt: past,
    },
    generation: {
      id: id('gen'),
      prompt: chars(1, MAX_PROMPT_CHARS),
      status: oneOf(['completed', 'failed', 'canceled']),
      result: mustBe('a string', (value) => typeof value === 'string'),
      model: oneOf(settings.models),
      error: chars(1, 1000),
      webhookUrl: url,
      metadata: mustBe(
        `at most ${MAX_PAIRS} pairs of strings, with numbers in quotes`,
        (value) =>
          isObject(value) &&
          Object.keys(value).length <= MAX_PAIRS &&
          Object.values(value).every((one) => typeof one === 'string'),
      ),
      createdAt: past,
    },
  };
}

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
  const root = checkFields(data, [], ROOT);
  if (root) return root;
  const rules = rulesOfRecords(facts);
  const { organizations = [], ...records } = data as { organizations?: unknown[] };
  return (
    checkRecords(records, [], rules) ??
    firstOf(organizations, ['organizations'], (organization, path) => {
      const mistake = checkFields(organization, path, ORGANIZATION);
      return mistake ?? checkRecords(organization as SeedRecords, path, rules);
    }) ??
    findRepeated(data)
  );
}

function checkRecords(
  { keys = [], webhooks = [], generations = [] }: SeedRecords,
  path: SeedPath,
  rules: RecordRules,
): SeedMistake | undefined {
  return (
    firstOf(keys, [...path, 'keys'], (key, at) => checkFields(key, at, rules.key)) ??
    firstOf(webhooks, [...path, 'webhooks'], (webhook, at) => {
      const mistake = checkFields(webhook, at, rules.webhook, ['event', 'url']);
      if (mistake) return mistake;
      const { event, threshold } = webhook as SeedWebhook;
      if (threshold === undefined || event === 'usage_threshold') return undefined;
      return { path: [...at, 'threshold'], problem: 'is only for the event usage_threshold.' };
    }) ??
    firstOf(generations, [...path, 'generations'], (generation, at) => {
      const mistake = checkFields(generation, at, rules.generation, ['prompt']);
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
  rules: Readonly<Record<string, OptionRule>>,
  required: readonly string[] = [],
): SeedMistake | undefined {
  if (!isObject(value)) {
    return { path, problem: `must be a mapping of ${Object.keys(rules).join(', ')}.` };
  }
  for (const [name, member] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const problem = rule
      ? member === undefined
        ? undefined
        : rule(member)
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
