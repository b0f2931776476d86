import { isObject, parseJson } from '../../options/values.ts';
import type { Probe, Reply } from './probe.ts';
import type { ReceivedDelivery } from './receiver.ts';
import { at, findFields, findWrap } from './shapes.ts';

const ofGenerations = ['requestId', 'result', 'model', 'usage.totalTokens', 'status'];

/** The fields that are searched by usual names too; all others only as written in another way. */
const wantedOf: Readonly<Record<string, readonly string[]>> = {
  Acknowledgement: ['requestId', 'status'],
  CompletedGeneration: ofGenerations,
  Generation: ofGenerations,
  GenerationCompletedCallback: ofGenerations,
  ApiKeyWithSecret: ['id', 'key'],
  ApiKey: ['id'],
  WebhookWithSecret: ['id', 'event', 'url', 'secret'],
  Webhook: ['id', 'event', 'url'],
  SigningSecret: ['secret'],
};
const ofPages = ['data', 'nextCursor'];

export type Reading = ReadonlyMap<
  string,
  { readonly theirs: string; readonly value: unknown; readonly isGuess: boolean }
>;

function inner(probe: Probe, body: unknown): unknown {
  const wrap = probe.facts.value('wrap');
  const inside = typeof wrap === 'string' ? at(body, wrap) : undefined;
  return isObject(inside) ? inside : body;
}

export function look(probe: Probe, schema: string, body: unknown): Reading {
  const whole = inner(probe, body);
  const known = (ours: string) => probe.facts.value('fields', ours);
  const wanted = wantedOf[schema] ?? (schema.endsWith('Page') ? ofPages : []);
  const found = [...findFields(whole, schema, wanted, known)];
  return new Map(found.map(([ours, one]) => [ours, { ...one, value: at(whole, one.theirs) }]));
}

export const hasResult = (probe: Probe, { body }: Reply): boolean =>
  look(probe, 'CompletedGeneration', body).get('result')?.isGuess === false;

/** Whether the result stands beside what was taken for a wrapper. */
function isBesideWrap({ facts }: Probe, schema: string, body: unknown): boolean {
  const wrap = `${facts.value('wrap')}`;
  if (wantedOf[schema] !== ofGenerations || !isObject(at(body, wrap))) return false;
  const result = findFields(body, schema, ['result'], () => undefined).get('result');
  return result?.isGuess === false && !result.theirs.startsWith(`${wrap}.`);
}

export function read(
  probe: Probe,
  schema: string,
  { body, shown }: Pick<Reply, 'body' | 'shown'>,
): Reading {
  const { facts, redactor } = probe;
  if (!isObject(body)) return new Map();
  const wrap = findWrap(body, schema, wantedOf[schema] ?? ofPages);
  const isBare = at(body, `${facts.value('wrap')}`) === undefined;
  if ((wrap !== undefined && !redactor.holds(wrap)) || isBare)
    facts.note(['wrap'], wrap, undefined, shown);
  else if (isBesideWrap(probe, schema, body)) facts.unwrap();
  const reading = look(probe, schema, body);
  for (const [ours, { theirs, value, isGuess }] of reading) {
    if (/^(key|secret)$/.test(ours)) redactor.add(value);
    if (redactor.holds(theirs)) continue;
    if (isGuess)
      facts.guess(['fields', ours], theirs, `${shown}: nothing else is left for ${ours}`);
    else facts.field(schema, ours, theirs, shown);
  }
  return reading;
}

export function readGeneration(
  probe: Probe,
  schema: string,
  reply: Pick<Reply, 'body' | 'shown'>,
): Reading {
  const reading = read(probe, schema, reply);
  const isWhole = reading.get('result')?.isGuess === false;
  const status = reading.get('status')?.value;
  const word = schema === 'Acknowledgement' || !isWhole ? 'processing' : 'completed';
  if (typeof status === 'string' && !probe.redactor.holds(status))
    probe.facts.note(['statuses', word], status, word, reply.shown);
  return reading;
}

export function seenIn(
  probe: Probe,
  { body, headers }: ReceivedDelivery,
): Pick<Reply, 'body' | 'shown'> {
  const parsed = parseJson(new TextDecoder().decode(body));
  const names = headers
    .map(([name]) => name)
    .filter((name) => /sign|token|timestamp|webhook|hmac|auth/.test(name));
  return {
    body: parsed,
    shown: `callback ${probe.redactor.shape(parsed)}, headers ${probe.redactor.text(names.join(', ')) || 'without a signature'}`,
  };
}
