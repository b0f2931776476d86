import { pathInBaseUrl } from '../../path-in-base-url.ts';
import { generationPaths, namesFor, put, routeOf } from './candidates.ts';
import { Stop } from './options.ts';
import {
  isInvalid,
  isMissing,
  isOk,
  isRefused,
  isSilent,
  type Probe,
  type Reply,
} from './probe.ts';
import { hasResult, look, readGeneration, seenIn } from './read.ts';
import type { ReceivedDelivery } from './receiver.ts';

export interface Generation {
  readonly isSynchronous: boolean;
  readonly answer?: Reply;
  readonly callback?: string;
  readonly requestId?: string;
  readonly delivery?: ReceivedDelivery;
}

export const prompt = 'Say hello in one word.';

export async function findGeneration(probe: Probe): Promise<Generation> {
  const first = await findPath(probe);
  const repaired = isInvalid(first) ? await repair(probe, first) : undefined;
  const { reply, callback: demanded } = repaired ?? { reply: first };
  if (!isOk(reply)) throw new Stop(`A generation was refused: ${reply.shown}.`);
  const isSynchronous = demanded === undefined && hasResult(probe, reply);
  if (isSynchronous) readGeneration(probe, 'CompletedGeneration', reply);
  const started = demanded
    ? { reply, callback: demanded }
    : await findCallback(probe, reply, isSynchronous);
  const last = started?.reply ?? reply;
  if (started) readGeneration(probe, 'Acknowledgement', last);
  else if (!isSynchronous) readGeneration(probe, 'CompletedGeneration', reply);
  const callback = started?.callback;
  const delivery = callback && (await probe.delivery((mark) => mark === `${probe.id}-${callback}`));
  if (delivery) readGeneration(probe, 'GenerationCompletedCallback', seenIn(probe, delivery));
  const requestId = look(probe, 'Acknowledgement', last.body).get('requestId')?.value;
  return {
    isSynchronous,
    answer: reply,
    ...(callback && { callback }),
    ...(requestId !== undefined && { requestId: `${requestId}` }),
    ...(delivery && { delivery }),
  };
}

export async function ask(
  probe: Probe,
  more: object = {},
  headers = {},
  path: string = probe.generatePath,
): Promise<Reply> {
  if (!probe.canSpend())
    throw new Stop(`${probe.tokens} of ${probe.spend} tokens (--spend) are used.`);
  const name = `${probe.facts.value('fields', 'prompt') ?? 'prompt'}`;
  const body = { ...put({}, name, prompt), ...more };
  const reply = await probe.send({ method: 'POST', path, body, headers });
  if (isOk(reply)) probe.tokens += Math.max(10, Math.ceil(reply.text.length / 16));
  return reply;
}

async function findPath(probe: Probe): Promise<Reply> {
  const known = probe.facts.value('paths', 'generateContent');
  const ours = routeOf('generateContent')[1];
  const paths = generationPaths(known);
  let refused: Reply | undefined;
  for (const path of paths) {
    let reply = await ask(probe, {}, {}, path);
    if (isRefused(reply)) {
      refused ??= reply;
      reply = (await findCredential(probe, path)) ?? reply;
      if (isRefused(reply)) break;
    }
    if (reply.status === 0) throw new Stop(`The service cannot be reached: ${reply.shown}.`);
    if (isMissing(reply)) continue;
    probe.facts.note(['paths', 'generateContent'], path, ours, reply.shown);
    return reply;
  }
  const where = `${paths.length} paths below ${probe.base}`;
  const advice =
    pathInBaseUrl(`${probe.base}/api/`) ||
    ' If so, pass a deployment that names the path: { "paths": { "generateContent": "/…" } }.';
  throw new Stop(
    refused
      ? `The key is refused in X-API-Key and as a Bearer token: ${refused.shown}. Is it the right one?`
      : `Nothing but 404 pages at ${where}. Is the base URL right?${advice}`,
  );
}

async function findCredential(probe: Probe, path: string): Promise<Reply | undefined> {
  const before = probe.credential;
  const named = probe.facts.value('accessTokenHeader');
  const headers = [
    ...(typeof named === 'string' && named.toLowerCase() !== 'authorization' ? [named] : []),
    'authorization',
    ...['api-key', 'x-auth-token', 'x-access-token', 'x-api-token', 'x-token'],
  ];
  for (const header of headers) {
    probe.credential = [header, header === 'authorization' ? 'Bearer ' : ''];
    const reply = await ask(probe, {}, {}, path);
    if (isRefused(reply) || isSilent(reply)) continue;
    const seen = `${reply.shown}, with the key in ${header}`;
    const isUsual = header === 'authorization';
    probe.facts.note(
      ['accessTokenHeader'],
      isUsual ? 'Authorization' : header,
      'Authorization',
      seen,
    );
    return reply;
  }
  probe.credential = before;
  return undefined;
}

async function repair(probe: Probe, first: Reply) {
  const callbacks = namesFor('webhookUrl', first.text);
  const prompts = namesFor('prompt', first.text).filter((name) => name !== 'prompt');
  const isAboutCallbacks = /hook|call.?back|notif|[a-z]ur[il]\b/i.test(first.text);
  const names = isAboutCallbacks ? [...callbacks, ...prompts] : [...prompts, ...callbacks];
  for (const name of names) {
    const isCallback = callbacks.includes(name);
    const more = isCallback ? withCallback(probe, name) : put({ prompt: undefined }, name, prompt);
    const reply = await ask(probe, more);
    if (!isOk(reply)) continue;
    const line = isCallback ? (['webhookUrlField'] as const) : (['fields', 'prompt'] as const);
    const ours = isCallback ? 'webhookUrl' : 'prompt';
    probe.facts.note(line, name, ours, `${reply.shown}, and refused without ${name}`);
    return { reply, ...(isCallback && { callback: name }) };
  }
  return undefined;
}

const withCallback = (probe: Probe, ...names: readonly string[]) =>
  names.reduce((body, name) => put(body, name, probe.callbackUrl(`${probe.id}-${name}`)), {});

/** Finds the field that takes a callback: alone, then all others at once if a receiver sees which one is used. */
async function findCallback(probe: Probe, plain: Reply, isSynchronous: boolean) {
  const known = [probe.facts.value('webhookUrlField'), probe.facts.value('fields', 'webhookUrl')];
  const usual = namesFor('webhookUrl', plain.text);
  const names = [...new Set([...known, 'webhookUrl', ...usual])].filter(
    (name) => typeof name === 'string',
  );
  const [first = 'webhookUrl', ...others] = names;
  // A response that is the same without a callback does not show which field was taken: only a callback does.
  const alone = isSynchronous ? await tryCallback(probe, first) : undefined;
  if (alone) return alone;
  if (probe.options.receiver) {
    const flat = names.filter((name) => !name.includes('.'));
    const reply = await ask(probe, withCallback(probe, ...flat));
    const isStarted = isOk(reply) && !hasResult(probe, reply);
    const delivery = isStarted
      ? await probe.delivery((mark) => mark.startsWith(probe.id))
      : undefined;
    const callback = delivery?.mark?.slice(probe.id.length + 1);
    if (callback) return learned(probe, callback, reply, isSynchronous ? first : undefined);
    if (isOk(reply)) return undefined;
  }
  for (const name of isSynchronous ? others.slice(0, 8) : []) {
    if (!probe.canSpend('other names for the callback field')) return undefined;
    const taken = await tryCallback(probe, name, first);
    if (taken) return taken;
  }
  return undefined;
}

async function tryCallback(probe: Probe, callback: string, before?: string) {
  const reply = await ask(probe, withCallback(probe, callback));
  return isOk(reply) && !hasResult(probe, reply)
    ? learned(probe, callback, reply, before)
    : undefined;
}

function learned(probe: Probe, callback: string, reply: Reply, before?: string) {
  const instead = before ? `, and not with ${before}` : '';
  probe.facts.note(
    ['webhookUrlField'],
    callback,
    'webhookUrl',
    `${reply.shown}, with ${callback}${instead}`,
  );
  return { reply, callback };
}
