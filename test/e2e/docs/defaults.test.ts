import { readFileSync } from 'node:fs';
import { OverlapSeconds } from 'contentgen/schemas';
import { describe, expect, test } from 'vitest';
import { defaults as server } from '../../../mock-server/composition/defaults.ts';
import {
  attemptTimeout,
  retryDelays,
} from '../../../mock-server/domain/delivery/retry-schedule.ts';
import { clientDefaults as client } from '../../../src/resolve-options.ts';
import { readTimes } from '../../../src/webhooks/dedupe/lease-times.ts';
import { defaultToleranceS } from '../../../src/webhooks/defaults.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const MiB = 1024 * 1024;
const { leaseMs, ttlMs } = readTimes({});

/** A default of the code, and where it is stated: a file, and a pattern whose group holds the number. */
type Rule = readonly [
  value: number | readonly number[],
  ...stated: (readonly [file: string, pattern: RegExp])[],
];

const schedule = /(5 s(?:(?:, | and )\d+ (?:min|h))+)/;
const timeOut = (place: string): readonly [string, RegExp] => [place, /within (\d+ s)\b/];
const senderWaits = (place: string): readonly [string, RegExp] => [place, /sender waits (\d+ s)\b/];

const rules: Readonly<Record<string, Rule>> = {
  'retries of a call': [
    client.maxRetries,
    ['docs/errors-and-retries.md', /makes up to (\w+) retries by default/],
    ['src/options.ts', /@default (\d+)\s+\*\/\s+readonly maxRetries\?/],
  ],
  'the longest Retry-After': [
    client.maxRetryAfter,
    ['docs/errors-and-retries.md', /`maxRetryAfter` \((\d+ s) by default\)/],
    ['src/options.ts', /@default ([\d_]+)\s+\*\/\s+readonly maxRetryAfter\?/],
  ],
  'the idle time-out': [
    client.idleTimeout,
    ['docs/errors-and-retries.md', /\| `idleTimeout` \|.*\| (\d+ s) \|/],
    ['docs/long-running-generations.md', /`idleTimeout` \((\d+ s)\)/],
    ['src/options.ts', /@default ([\d_]+)\s+\*\/\s+readonly idleTimeout\?/],
  ],
  'the largest response': [
    client.maxResponseBytes,
    ['docs/errors-and-retries.md', /\| `maxResponseBytes` \|.*\| (\d+ MiB) \|/],
    ['src/options.ts', /@default ([\d_]+)\s+\*\/\s+readonly maxResponseBytes\?/],
  ],
  'the tolerance of signatures': [
    defaultToleranceS * second,
    ['docs/security.md', /deliveries up to (\d+ s) old or ahead are accepted/],
    ['docs/signature-does-not-verify.md', /more than (\d+ s) in the past/],
    ['docs/signature-does-not-verify.md', /more than (\d+ s) in the future/],
    ['docs/other-languages.md', /more than (\d+ minutes) away, in either direction/],
  ],
  'the tolerance of signatures, in seconds': [
    defaultToleranceS,
    ['src/webhooks/defaults.ts', /in either direction, inclusive: 0 to 3 600\. @default (\d+)/],
    ['src/testing/deliver.ts', /what to expect of `skewSeconds`\. @default (\d+)/],
  ],
  'the lease of a delivery': [
    leaseMs,
    ['docs/idempotency.md', /`leaseMs` \((\d+ s)\)/],
    ['docs/reliability.md', /`leaseMs`, (\d+ s)\)/],
    ['src/webhooks/dedupe/lease-times.ts', /@default ([\d_]+)\s+\*\/\s+readonly leaseMs\?/],
  ],
  'the memory of handled deliveries': [
    ttlMs,
    ['docs/idempotency.md', /`ttlMs` \((\d+ days)\)/],
    ['docs/reliability.md', /`ttlMs`, (\d+ days)\)/],
  ],
  'the schedule of deliveries': [
    retryDelays,
    ...['docs/spec-coverage.md', 'docs/receiving-webhooks.md'].map(
      (file) => [file, schedule] as const,
    ),
  ],
  'the time-out of an attempt': [
    attemptTimeout,
    ...['docs/spec-coverage.md', 'docs/other-languages.md', 'docs/security.md'].map(timeOut),
    ...['docs/receiving-webhooks.md', 'docs/reliability.md', 'docs/webhooks-at-scale.md'].map(
      senderWaits,
    ),
  ],
  'the overlap of a rotation': [
    Number(OverlapSeconds.parse(undefined)) * second,
    ['docs/security.md', /carry both signatures, for (\d+ hours) by default/],
    ['docs/signature-does-not-verify.md', /During the overlap \((\d+ h) by default\)/],
  ],
  'the quota': [server.quota, ['docs/standalone.md', /\| `--quota N` \|.*\| `(\d+)` \|/]],
  'the port': [server.port, ['docs/standalone.md', /\| `--port N`.*\| `(\d+)`,/]],
  'the retention of generations': [
    server.generations,
    ['docs/standalone.md', /\| `--retention .*\| `(\d+)` \|/],
  ],
  'the length of the logs': [server.logLimit, ['docs/standalone.md', /keeps at most (\d[\d ]*\d)/]],
  'the time of a generation': [
    [server.processingTime.min, server.processingTime.max],
    ['docs/testing.md', /generations take (\d+ to [\d ]+ ms)/],
  ],
};

describe.each(Object.entries(rules))('%s', (_, [value, ...stated]) => {
  test.each(stated)('is what %s says: %s', (file, pattern) => {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    const [, found = 'nothing of the kind'] = pattern.exec(text) ?? [];
    expect(numbersOf(found)).toEqual([value].flat());
  });
});

const units: Readonly<Record<string, number>> = {
  ...{ s: second, min: minute, minutes: minute, h: hour, hours: hour, days: day, ms: 1, MiB },
};
const words: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5 };

/** `5 s, 5 min and 2 h` as milliseconds; `two`, `10 000` and `60_000` as they are. */
function numbersOf(list: string): number[] {
  const unit = / ([A-Za-z]+)$/.exec(list)?.[1] ?? '';
  return list.split(/, | and | to /).map((text) => {
    const [, amount = '', own = unit] = /^([\d _]*\d|[a-z]+)(?: ([A-Za-z]+))?$/.exec(text) ?? [];
    return (words[amount] ?? Number(amount.replaceAll(/[ _]/g, ''))) * (units[own] ?? 1);
  });
}
