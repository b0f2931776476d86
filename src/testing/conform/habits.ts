import { isObject } from '../../options/values.ts';
import { put, styled } from './candidates.ts';
import { ask, type Generation } from './generation.ts';
import { isInvalid, isOk, isSilent, type Probe, type Reply } from './probe.ts';
import { look } from './read.ts';
import { leavesOf, plain } from './shapes.ts';

export async function findStream(probe: Probe): Promise<void> {
  if (!probe.canSpend('a stream')) return;
  const reply = await ask(probe, { stream: true }, { accept: 'text/event-stream' });
  const isStream = /event-stream/.test(reply.headers.get('content-type') ?? '');
  if (!isOk(reply) && !isInvalid(reply)) return;
  probe.facts.note(['absent', 'stream'], !isStream, false, `${reply.shown}, with stream: true`);
}

const withCallback = (probe: Probe, { callback, isSynchronous }: Generation, mark: string) =>
  isSynchronous || !callback ? {} : put({}, callback, probe.callbackUrl(mark));

/** Which optional fields a generation takes: each is refused or taken by a service that refuses unknown fields. */
export async function findRequestFields(probe: Probe, generation: Generation): Promise<void> {
  const more = withCallback(probe, generation, 'fields');
  const model = look(probe, 'CompletedGeneration', generation.answer?.body).get('model')?.value;
  const values = { model, maxTokens: 16, temperature: 0, seed: 1, metadata: {} };
  const fields = Object.entries(values).filter(([, value]) => value !== undefined);
  const namesOf = (name: string) => {
    const known = probe.facts.value('fields', name);
    return typeof known === 'string' ? [known] : styled(name);
  };
  const body = fields.reduce<object>(
    (all, [name, value]) => put(all, `${namesOf(name)[0]}`, value),
    more,
  );
  const shown = (name: string) => `the request field ${name}`;
  if (fields.filter(([name]) => !probe.canSpend(shown(name))).length > 0) return;
  const all = await ask(probe, body);
  if (!isInvalid(all)) return;
  for (const [name, value] of fields) {
    const replies: Reply[] = [];
    for (const theirs of namesOf(name)) {
      if (!probe.canSpend(shown(name))) break;
      const reply = await ask(probe, put(more, theirs, value));
      replies.push(reply);
      if (!isOk(reply)) continue;
      probe.facts.note(['absent', `generateContent.${name}`], false, false, reply.shown);
      probe.facts.note(['fields', name], theirs, name, `${reply.shown}, with ${theirs}`);
      break;
    }
    if (replies.length === namesOf(name).length && replies.every(isInvalid))
      probe.facts.note(
        ['absent', `generateContent.${name}`],
        true,
        false,
        `${replies[0]?.shown}, with ${name}`,
      );
  }
}

/** Whether a repeated POST makes one generation: unproven means that it does not. */
export async function findIdempotency(probe: Probe, generation: Generation): Promise<void> {
  const { isSynchronous } = generation;
  const known = probe.facts.value('idempotency');
  const header = typeof known === 'string' ? known : 'Idempotency-Key';
  const more = withCallback(probe, generation, 'repeated');
  const twice: Reply[] = [];
  while (twice.length < 2 && probe.canSpend())
    twice.push(await ask(probe, more, { [header]: probe.id }));
  const [first, second] = twice;
  if (!first || !second || !isOk(first) || isSilent(second)) return;
  const schema = isSynchronous ? 'CompletedGeneration' : 'Acknowledgement';
  const [one, other] = twice.map(({ body }) => look(probe, schema, body).get('requestId')?.value);
  const isSame = isOk(second) && one !== undefined && one === other;
  const seen = isSame
    ? `two POSTs with one ${header} made one generation`
    : `two POSTs with one ${header}: ${isOk(second) ? 'two generations' : second.shown}`;
  probe.facts.note(['idempotency'], isSame ? header : false, 'Idempotency-Key', seen);
}

/** The first item of each list in place of the list: `errors.0.code`. */
function unlisted(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? { 0: unlisted(value[0]) } : value;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unlisted(one)]));
}

export async function findErrors(probe: Probe): Promise<void> {
  const replies = [
    await probe.send({ method: 'POST', path: probe.generatePath, body: {}, apiKey: null }),
    await probe.send({ method: 'GET', path: '/contentgen-conform' }),
  ].filter(({ status }) => status >= 400);
  const [first] = replies;
  if (!first) return;
  const isOurs = replies.every(
    ({ headers, body }) =>
      /problem\+json/.test(headers.get('content-type') ?? '') &&
      typeof Object(body).code === 'string',
  );
  const bodies = replies.map(({ body }) => leavesOf(unlisted(body))).filter(({ size }) => size > 0);
  const find = (...names: RegExp[]) => {
    const paths = [...(bodies[0] ?? [])]
      .filter(([, value]) => typeof value === 'string')
      .map(([name]) => name);
    const common = paths.filter((name) =>
      bodies.every((body) => typeof body.get(name) === 'string'),
    );
    return names.map((name) => common.find((one) => name.test(plain(one)))).find(Boolean);
  };
  const message = find(
    /(^|\.)(error)?(message|msg)$/,
    /(^|\.)(error)?(detail|description|title|reason)$/,
    /(^|\.)errors?(\.0)?$/,
  );
  const code = find(/(^|\.)(error)?code$/, /(^|\.)(error)?(type|name)$/, /(^|\.)error$/);
  const places = { ...(code && code !== message && { code }), ...(message && { message }) };
  const value = Object.keys(places).length > 0 ? places : false;
  probe.facts.note(
    ['errors'],
    isOurs ? undefined : value,
    undefined,
    replies.map(({ shown }) => shown).join('; '),
  );
}
