import { eventNames, namesFor, put, routeOf } from './candidates.ts';
import { call, use } from './operations.ts';
import { isInvalid, isOk, isSilent, type Probe, type Reply } from './probe.ts';
import { look, type Reading, read, seenIn } from './read.ts';
import { leavesOf } from './shapes.ts';

interface Made {
  readonly what: string;
  readonly schema: string;
  readonly create: 'createApiKey' | 'createWebhook';
  readonly remove: 'revokeApiKey' | 'deleteWebhook';
  make(): Promise<Reply | undefined>;
  /** Looks what can be done with it; resolves to the secret that its creation showed. */
  examine(created: Reply, id: string | undefined): Promise<unknown>;
}

const ours = 'usage_threshold';

/** Creates a key and a registration, looks what can be done with them, and removes them; resolves to a signing secret. */
export async function findWrites(probe: Probe): Promise<unknown> {
  await during(probe, keyOf(probe));
  return during(probe, registrationOf(probe));
}

async function during(probe: Probe, made: Made): Promise<unknown> {
  const { what, schema } = made;
  const unsure = `perhaps ${what}: no response said whether it was created`;
  probe.keep(unsure);
  const reply = await made.make();
  if (!reply || !isSilent(reply)) probe.removed(unsure);
  if (!reply || !isOk(reply)) return undefined;
  const value = look(probe, schema, reply.body).get('id')?.value;
  const id = value === undefined ? undefined : `${value}`;
  const named = id === undefined ? what : `${what} (${id})`;
  probe.keep(named);
  try {
    return await made.examine(reply, id);
  } finally {
    if (id !== undefined) await remove(probe, made, id, named);
  }
}

async function remove(probe: Probe, made: Made, id: string, named: string): Promise<void> {
  const how = { id, isRemoval: true } as const;
  const path = `${probe.facts.value('paths', made.create) ?? routeOf(made.create)[1]}/{id}`;
  const removal = await call(probe, made.remove, how);
  const isGone = removal && isOk(removal);
  if (isGone || isOk(await probe.send({ ...how, method: 'DELETE', path }))) probe.removed(named);
}

function keyOf(probe: Probe): Made {
  const name = probe.id;
  const schema = 'ApiKeyWithSecret';
  const made: Made = {
    ...{ what: `a key named ${name}`, schema, create: 'createApiKey', remove: 'revokeApiKey' },
    async make() {
      const named = await call(probe, 'createApiKey', { body: { name } });
      return named && isInvalid(named) ? call(probe, 'createApiKey', { body: {} }) : named;
    },
    async examine(reply, id) {
      // Kept out of every line, whichever of them is the key.
      for (const value of leavesOf(reply.body).values())
        if (value !== name && `${value}` !== id && Number.isNaN(Date.parse(`${value}`)))
          probe.redactor.add(value);
      read(probe, schema, reply);
      if (id === undefined) return;
      await use(probe, 'getApiKey', { id });
      const { reading } = await use(probe, 'regenerateApiKey', { id, body: {} });
      const next = reading.get('id')?.value;
      if (next === undefined || `${next}` === id) return;
      const named = `a key (${next})`;
      probe.keep(named);
      await remove(probe, made, `${next}`, named);
    },
  };
  return made;
}

function registrationOf(probe: Probe): Made {
  const url = probe.callbackUrl('event');
  const schema = 'WebhookWithSecret';
  return {
    what: `a registration of ${url}`,
    ...{ schema, create: 'createWebhook', remove: 'deleteWebhook' },
    make: () => register(probe, url),
    async examine(reply, id) {
      const created = read(probe, schema, reply);
      noteEvent(probe, created, reply.shown);
      const secret = created.get('secret')?.value;
      if (id === undefined) return secret;
      await use(probe, 'getWebhook', { id });
      await call(probe, 'listDeliveries', { id });
      const tested = await call(probe, 'testWebhook', { id, body: {} });
      const ms = Math.min(probe.timeoutMs, 8000);
      const isSent = tested && isOk(tested);
      const delivery = isSent ? await probe.delivery((mark) => mark === 'event', ms) : undefined;
      const seen = delivery && seenIn(probe, delivery);
      if (seen) noteEvent(probe, read(probe, 'UsageThresholdEvent', seen), seen.shown);
      const body = put({}, nameIn(probe, 'fields', 'url'), url);
      await call(probe, 'updateWebhook', { id, body });
      await call(probe, 'redeliverFailed', { id, body: {} });
      await call(probe, 'rotateWebhookSecret', { id, body: {} });
      return secret;
    },
  };
}

function noteEvent({ facts, redactor }: Probe, reading: Reading, shown: string): void {
  const event = reading.get('event')?.value;
  if (typeof event === 'string' && eventNames(ours).includes(event) && !redactor.holds(event))
    facts.note(['eventNames', ours], event, ours, shown);
}

const nameIn = ({ facts }: Probe, group: 'eventNames' | 'fields', name: string): string =>
  `${facts.value(group, name) ?? name}`;

/** An error without the ids and times in it. */
const complaint = (text: string) =>
  text.replace(/[\w-]+/g, (word) => (/\d/.test(word) ? '' : word));

async function register(probe: Probe, url: string): Promise<Reply | undefined> {
  const { facts } = probe;
  const usual = {
    name: nameIn(probe, 'eventNames', ours),
    event: nameIn(probe, 'fields', 'event'),
    url: nameIn(probe, 'fields', 'url'),
  };
  const make = (as: typeof usual) =>
    call(probe, 'createWebhook', { body: put(put({}, as.event, as.name), as.url, url) });
  const first = await make(usual);
  if (!first || !isInvalid(first)) return first;
  let best = usual;
  let { text } = first;
  const complaints = new Set([complaint(text)]);
  // What an error says about one part leads to the next: another complaint means that this part is right.
  for (let isNearer = true; isNearer; ) {
    isNearer = false;
    const names = eventNames(ours, text).slice(0, 3);
    const events = namesFor('event', text)
      .slice(0, 3)
      .flatMap((event) => names.map((name) => ({ ...best, event, name })));
    const urls = namesFor('url', text).slice(0, 6);
    for (const as of [...events, ...urls.map((url) => ({ ...best, url }))]) {
      const reply = await make(as);
      if (!reply) return undefined;
      if (isOk(reply)) {
        facts.note(['eventNames', ours], as.name, ours, reply.shown);
        facts.note(['fields', 'event'], as.event, 'event', reply.shown);
        facts.note(['fields', 'url'], as.url, 'url', reply.shown);
        return reply;
      }
      isNearer = isInvalid(reply) && !complaints.has(complaint(reply.text));
      if (!isNearer) continue;
      best = as;
      ({ text } = reply);
      complaints.add(complaint(text));
      break;
    }
  }
  return first;
}
