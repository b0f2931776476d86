import { isText } from '../../options/values.ts';
import { isOk, NotObservable, once, type Reply, type Session } from './session.ts';
import { at, wanted } from './shapes.ts';
import { isMissing } from './verdicts.ts';

// The requests that several clauses look at, in the order in which a run sends them.

/** The prompt of each generation: a model responds with few tokens. */
const prompt = 'Say OK in 8 words.';

/** Without a key, which operation it is does not matter: the gateway rejects it first. */
export const withoutKey = once((t) => t.send('getUsage', { apiKey: null }));

export const counts = [wanted.used, wanted.quota, wanted.remaining, wanted.requests];
export const usage = once((t) =>
  t.trying((as) => t.send('getUsage', { reads: counts, as }), {
    isTaken: (reply) => !isMissing(reply),
    others: () => [otherPrefix(t)],
  }),
);

const otherPrefix = ({ base }: Session) => ({
  baseUrl: base.endsWith('/v2') ? base.slice(0, -3) : `${base}/v2`,
});

/** Whether the path exists; a redirect leads elsewhere. */
export const isThere = (reply: Reply) =>
  !isMissing(reply) && reply.status > 0 && (reply.status < 300 || reply.status > 399);

const otherPaths = ['/v1/generate', '/api/v1/ai/content/generate', '/api/ai/generate', '/generate'];

/** An empty body costs nothing: it only shows whether the path exists. */
export const emptyRequest = once(async (t) => {
  const isBaseRight = isOk(await usage(t));
  return t.trying((as) => t.send('generateContent', { body: {}, isInvalid: true, as }), {
    isTaken: isThere,
    others: () => [
      ...(isBaseRight ? [] : [otherPrefix(t)]),
      ...otherPaths.map((path) => ({ paths: { generateContent: path } })),
    ],
  });
});

const otherPrompts = ['input', 'text', 'input.text', 'query', 'message'];
const otherKeyHeaders = [
  ...['X-Idempotency-Key', 'X-Request-Token', 'Idempotency-Token', 'X-Idempotency-Token'],
  ...['X-Client-Token', 'Request-Id', 'X-Request-Key'],
];

const keyOf = ({ id }: Session, index: number) => `${id}-${index}`;
const keyHeaders = ({ knows: { idempotency } }: Session) =>
  isText(idempotency) ? [idempotency, ...otherKeyHeaders] : otherKeyHeaders;
const inEach = (names: readonly string[], keyFor: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [name, keyFor(name)]));

/** A generation under an idempotency key, in each header that might take it. */
export const generation = once(async (t) => {
  const { requestId, result, model, totalTokens, status } = wanted;
  const reads = [requestId, result, model, totalTokens, { ...status, isOptional: true } as const];
  const headers = inEach(['Idempotency-Key', ...keyHeaders(t)], () => keyOf(t, 0));
  // The error about the empty body might name the field.
  const [mistake] = [at((await emptyRequest(t)).body, 'errors')].flat();
  const named = `${at(mistake, 'pointer')}`.replace(/^#?\//, '').replaceAll('/', '.');
  const others = [...new Set([named, t.knows.fields?.['prompt'] ?? [], otherPrompts].flat())];
  return t.trying((as) => t.generate({ prompt }, { headers, reads, as }), {
    isTaken: isOk,
    others: ({ status }) =>
      status < 500 && status !== 429 ? others.map((name) => ({ fields: { prompt: name } })) : [],
  });
});

export async function generatedId(t: Session): Promise<string> {
  const { requestId } = (await generation(t)).value;
  if (!isText(requestId)) throw new NotObservable('a generation with an id');
  return requestId;
}

/** The generation again, under the same key. If another header takes the key, that is searched. */
export const replay = once(async (t) => {
  const ids = [await generatedId(t)];
  /** Which of the earlier generations is returned; -1 for a new one. */
  const repeat = async (headers: Readonly<Record<string, string>>) => {
    const reply = await t.generate({ prompt }, { headers });
    const id = `${reply.value['requestId']}`;
    const index = ids.indexOf(id);
    if (index < 0) ids.push(id);
    return { reply, index };
  };
  let names: readonly string[] = keyHeaders(t);
  const own = { 'Idempotency-Key': keyOf(t, 0) };
  const again = await repeat({ ...own, ...inEach(names, () => keyOf(t, 1)) });
  if (again.index === 0) return again.reply;
  // Each header gets the key of another generation, or a new one: what is returned says which header was read.
  while (names.length > 0) {
    const asked = names;
    const size = ids.length + 1;
    const keyIndex = (name: string) => asked.indexOf(name) % size;
    const { reply, index } = await repeat(inEach(asked, (name) => keyOf(t, keyIndex(name))));
    names = asked.filter((name) => keyIndex(name) === (index < 0 ? size - 1 : index));
    const [header] = names;
    if (index >= 0 && names.length === 1 && header) {
      return { ...reply, moved: t.learn({ idempotency: header }) };
    }
  }
  return { ...again.reply, moved: t.learn({ idempotency: false }) };
});

export function mismatch(t: Session): Promise<Reply> {
  const headers = { [`${t.found.idempotency ?? 'Idempotency-Key'}`]: keyOf(t, 0) };
  return t.generate({ prompt: `${prompt} Please.` }, { headers });
}

const asStream = { accept: 'text/event-stream' };
export const stream = once((t) => t.generate({ prompt, stream: true }, { headers: asStream }));
export const resumeAfter = (t: Session, id: string, eventId: string) =>
  t.send('getGeneration', { id, headers: { ...asStream, 'last-event-id': eventId } });

/** A URL that says what is posted there. */
function urlFor({ options: { receiver } }: Session, mark: string): string {
  // Without a receiver, a reserved name that leads nowhere.
  const url = new URL(receiver?.url ?? 'https://conform.invalid/events');
  url.searchParams.set('conform', mark);
  return url.href;
}

const otherUrlFields = [
  ...['callbackUrl', 'callback_url', 'webhook_url', 'callback', 'webhook', 'url', 'notifyUrl'],
  ...['notificationUrl', 'notification_url', 'callbackURL', 'webhookURL', 'hook', 'hookUrl'],
];

/** A generation in the background, and the field that took the callback URL; that is searched. */
export const background = once(async (t) => {
  const isTaken = (reply: Reply) =>
    isOk(reply) && reply.body !== undefined && !isText(at(reply.value, 'result'));
  const taken = (reply: Reply, field: string): Reply => {
    const fields = [wanted.status, wanted.requestId];
    const moved = field === 'webhookUrl' ? {} : { moved: t.learn({ webhookUrlField: field }) };
    return { ...reply, ...t.read('generateContent', reply.body, fields), ...moved, field };
  };
  const first = await t.generate({ prompt, webhookUrl: urlFor(t, 'webhookUrl') });
  if (isTaken(first)) return taken(first, 'webhookUrl');
  const isUnknown = /unknown/.test(first.text);
  if (!isOk(first) && /webhookUrl/.test(first.text) && !isUnknown) {
    throw new NotObservable('a --receiver-url that the service accepts');
  }
  const names = [...new Set([t.knows.webhookUrlField ?? [], otherUrlFields].flat())];
  // All of them at once, if unknown ones are ignored: the URL that is called says which one it was.
  const urls = Object.fromEntries(names.map((name) => [name, urlFor(t, name)]));
  const all = isUnknown ? first : await t.generate({ prompt, ...urls }, { isInvalid: true });
  if (isTaken(all)) {
    const { mark } = (await t.waitFor((one) => names.includes(`${one.mark}`))) ?? {};
    if (mark) return taken(all, mark);
  }
  for (const field of isOk(all) ? [] : names) {
    const body = { prompt, webhookUrl: urlFor(t, field) };
    const one = await t.generate(body, { as: { webhookUrlField: field } });
    if (isTaken(one)) return taken(one, field);
  }
  return first;
});

export async function processingId(t: Session): Promise<string> {
  const body = { prompt, webhookUrl: urlFor(t, 'canceled') };
  const { requestId } = (await t.generate(body, { reads: [wanted.requestId] })).value;
  if (!isText(requestId)) throw new NotObservable('an id to cancel');
  return requestId;
}

/** The first callback. */
export const callback = once(async (t) => {
  const { field } = await background(t);
  return t.waitFor(({ mark }) => mark === field);
});

/** The newest generation, and the cursor of the next one. */
export const page = once((t) =>
  t.send('listGenerations', { query: '?limit=1', reads: [wanted.data] }),
);

export const newKey = once((t) =>
  t.create('createApiKey', {
    removal: 'revokeApiKey',
    what: `an API key named ${t.id}`,
    body: { name: t.id },
    reads: [wanted.key, wanted.id],
    isTaken: (reply) => !isMissing(reply),
    others: () => [{ paths: { createApiKey: '/api-keys/generate' } }],
  }),
);

/** With the new key, if there is one: that shows whether it works. */
export const deliveries = once(async (t) => {
  const { key } = t.options.allowWrites ? (await newKey(t)).value : {};
  const apiKey = isText(key) ? { apiKey: key } : {};
  return t.send('listCallbackDeliveries', { query: '?limit=1', ...apiKey });
});

export const listOfKeys = once((t) => t.send('listApiKeys', { query: '?limit=1' }));

const otherEvents = ['usage.threshold', 'usage-threshold', 'usageThreshold', 'USAGE_THRESHOLD'];

export const newRegistration = once((t) => {
  const url = urlFor(t, 'event');
  const names = [t.knows.eventNames?.['usage_threshold'] ?? [], otherEvents].flat();
  return t.create('createWebhook', {
    removal: 'deleteWebhook',
    what: `a registration of ${url}`,
    body: { event: 'usage_threshold', url },
    reads: [wanted.secret, wanted.id],
    isTaken: isOk,
    others: ({ status }) =>
      [400, 422].includes(status)
        ? names.map((name) => ({ eventNames: { usage_threshold: name } }))
        : [],
  });
});

export const signingSecret = once((t) => t.send('getSigningSecret', { reads: [wanted.secret] }));
