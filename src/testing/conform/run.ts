import { briefScheme, findScheme, looksSigned } from '../find-scheme.ts';
import type { Facts } from './facts.ts';
import { findGeneration, type Generation } from './generation.ts';
import { findErrors, findIdempotency, findRequestFields, findStream } from './habits.ts';
import { findOperations } from './operations.ts';
import {
  type ConformanceOptions,
  type ConformanceProof,
  type ConformanceReport,
  Stop,
} from './options.ts';
import { Probe } from './probe.ts';
import { prove } from './prove.ts';
import { findWrites } from './writes.ts';

/**
 * Finds how a service differs: sends requests, keeps the lines of a `deployment.json` that it has evidence for, and
 * proves them with one call and one callback.
 *
 * @example
 * const { deployment, lines, proof } = await runConformance({ baseUrl, apiKey, secret, receiver });
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const probe = new Probe(options);
  const proof: ConformanceProof[] = [];
  let stop: Stop | undefined;
  try {
    await examine(probe, proof);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stop = error;
  }
  const { redactor } = probe;
  return {
    deployment: fileOf(probe.facts),
    lines: probe.facts.lines(),
    proof,
    ...(stop && { problem: redactor.text(stop.message) }),
    ...(stop?.retryAfter !== undefined && { retryAfter: stop.retryAfter }),
    left: probe.left.map((what) => redactor.text(what)),
    spent: { requests: probe.requests, tokens: probe.tokens },
  };
}

async function examine(probe: Probe, proof: ConformanceProof[]): Promise<void> {
  const { facts, options } = probe;
  const untried: Generation = { isSynchronous: true };
  const generation = probe.spend > 0 ? await findGeneration(probe) : untried;
  await findErrors(probe);
  const shown = await findOperations(probe, generation);
  const created = options.allowWrites ? await findWrites(probe) : undefined;
  await findStream(probe);
  await findRequestFields(probe, generation);
  await findIdempotency(probe, generation);
  const secret = await learnScheme(probe, generation, [options.secret, shown, created]);
  if (probe.spend > 0) proof.push(...(await prove(probe, generation, fileOf(facts), secret)));
  else
    proof.push({ what: 'a call', ok: undefined, detail: 'no generation is allowed (--spend 0)' });
  proof.push(...untriedParts(probe));
}

/** What a repeated POST does is a question of money: unproven means that it is not repeated. */
const fileOf = (facts: Facts): Record<string, unknown> => ({
  ...facts.deployment(),
  ...(facts.isUnproven && { idempotency: false }),
});

/** Finds how a callback was signed; resolves to the secret that verified it. */
async function learnScheme(
  { facts }: Probe,
  { delivery }: Generation,
  secrets: readonly unknown[],
): Promise<string | undefined> {
  const given = secrets.filter((secret) => typeof secret === 'string');
  if (!delivery) return given[0];
  for (const secret of given) {
    const { scheme: _, secretEncoding: __, ...names } = facts.deployment();
    const found = await findScheme(delivery, secret, names);
    if (!found) continue;
    const evidence = 'a callback verifies so with the secret';
    const before = facts.value('scheme');
    const isSame = JSON.stringify(briefScheme(Object(before))) === JSON.stringify(found.scheme);
    facts.note(['scheme'], isSame ? before : found.scheme, { type: 'standard' }, evidence);
    const encoding = found.secretEncoding ?? 'whsec';
    if (found.scheme['type'] !== 'token')
      facts.note(['secretEncoding'], encoding, 'whsec', evidence);
    return secret;
  }
  return looksSigned(delivery.headers) && given.length > 0 ? given[0] : undefined;
}

function untriedParts({ options, facts, unpaid }: Probe): readonly ConformanceProof[] {
  const skipped = (what: string, detail: string) => ({ what, ok: undefined, detail });
  return [
    ...(options.allowWrites ? [] : [skipped('keys and registrations', 'pass --allow-writes')]),
    ...(facts.isUnproven ? [skipped('a repeated POST', 'so idempotency is written as false')] : []),
    ...[...unpaid].map((what) => skipped(what, 'the tokens (--spend) were used')),
    ...(facts.isAbsent('stream') || unpaid.has('a stream')
      ? []
      : [skipped('reading a stream', 'only looked whether there is one')]),
    skipped('rotating the signing secret, redelivering', 'they would change more than this run'),
    skipped('the words for failed and canceled', 'no generation ended so'),
  ];
}
