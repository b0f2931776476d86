import type { OperationId } from '../../types.ts';
import { eventNames, namesFor, put, routeOf } from './candidates.ts';
import type { Generation } from './generation.ts';
import { call, readOk } from './operations.ts';
import { isInvalid, isOk, isRefused, type Probe, type Reply } from './probe.ts';
import { look, type Reading, read, seenIn } from './read.ts';
import { leavesOf } from './shapes.ts';

/** Something that is created, looked at and removed. */
interface Made {
  readonly what: string;
  readonly schema: string;
  readonly create: 'createApiKey' | 'createWebhook';
  readonly remove: 'revokeApiKey' | 'deleteWebhook';
  make(): Promise<Reply | undefined>;
  /** Reads the response; what it sent comes back under the names of the service. */
  use(reply: Reply, id: string | undefined): Promise<void>;
}

/** Creates a key and a registration, looks what can be done with them, and removes them. */
export async function findWrites(probe: Probe, generation: Generation): Promise<unknown> {
  await during(probe, generation, keyOf(probe, generation));
  let secret: unknown;
  const registration = registrationOf(probe, generation, (one) => {
    secret = one;
  });
  await during(probe, generation, registration);
  return secret;
}

async function during(probe: Probe, generation: Generation, made: Made): Promise<void> {
  const { what, schema, create, remove } = made;
  const unsure = `perhaps ${what}: no response said whether it was created`;
  probe.keep(unsure);
  const reply = await made.make();
  if (!reply || (reply.status > 0 && reply.status < 500)) probe.removed(unsure);
  if (!reply || !isOk(reply)) return;
  const id = look(probe, schema, reply.body).get('id')?.value;
  const named = id === undefined ? what : `${what} (${id})`;
  probe.keep(named);
  try {
    await made.use(reply, id === undefined ? undefined : `${id}`);
  } finally {
    if (id !== undefined) {
      const how = { id: `${id}`, isRemoval: true } as const;
      const path = `${probe.facts.value('paths', create) ?? routeOf(create)[1]}/{id}`;
      const removal = await call(probe, generation, remove, how);
      const isGone = removal && isOk(removal);
      if (isGone || isOk(await probe.send({ ...how, method: 'DELETE', path })))
        probe.removed(named);
    }
  }
}

function keyOf(probe: Probe, generation: Generation): Made {
  const name = probe.id;
  const schema = 'ApiKeyWithSecret';
  return {
    ...{ what: `a key named ${name}`, schema, create: 'createApiKey', remove: 'revokeApiKey' },
    async make() {
      const named = await call(probe, generation, 'createApiKey', { body: { name } });
      const isOther = named && isInvalid(named);
      return isOther ? call(probe, generation, 'createApiKey', { body: {} }) : named;
    },
    async use(reply, id) {
      // Kept out of every line, whichever of them is the key.
      for (const value of leavesOf(reply.body).values())
        if (value !== name && `${value}` !== id && Number.isNaN(Date.parse(`${value}`)))
          probe.redactor.add(value);
      const { theirs = '', value, isGuess } = look(probe, schema, reply.body).get('key') ?? {};
      if (isGuess && typeof value === 'string') {
        const probed = { method: 'POST', path: generation.path, body: {}, apiKey: value };
        const seen = `${reply.shown}, and it is accepted as a key`;
        if (!isRefused(await probe.send(probed))) probe.facts.field(schema, 'key', theirs, seen);
      }
      read(probe, schema, reply, { name });
      if (id === undefined) return;
      readOk(probe, 'ApiKey', await call(probe, generation, 'getApiKey', { id }));
      const again = await call(probe, generation, 'regenerateApiKey', { id, body: {} });
      const next = again && look(probe, schema, again.body).get('id')?.value;
      if (next === undefined || next === id) return;
      probe.keep(`a key (${next})`);
      const removal = await call(probe, generation, 'revokeApiKey', {
        id: `${next}`,
        isRemoval: true,
      });
      if (removal && isOk(removal)) probe.removed(`a key (${next})`);
    },
  };
}

function registrationOf(
  probe: Probe,
  generation: Generation,
  onSecret: (secret: unknown) => void,
): Made {
  const url = probe.callbackUrl('event');
  const schema = 'WebhookWithSecret';
  const names = () => ({ ...named(probe, 'event'), ...named(probe, 'url') });
  return {
    ...{
      what: `a registration of ${url}`,
      schema,
      create: 'createWebhook',
      remove: 'deleteWebhook',
    },
    make: () => register(probe, generation, url),
    async use(reply, id) {
      const event = `${probe.facts.value('eventNames', 'usage_threshold') ?? 'usage_threshold'}`;
      const sent = { url, event };
      const created = read(probe, schema, reply, sent);
      onSecret(created.get('secret')?.value);
      noteEvent(probe, created, reply.shown);
      if (id === undefined) return;
      const on = (operation: OperationId, body?: object) =>
        call(probe, generation, operation, { id, ...(body && { body }) });
      readOk(probe, 'Webhook', await on('getWebhook'), sent);
      await on('listDeliveries');
      const tested = await on('testWebhook', {});
      const isSent = tested && isOk(tested);
      const delivery = isSent ? await probe.delivery((mark) => mark === 'event', 8000) : undefined;
      const seen = delivery && seenIn(probe, delivery);
      if (seen) noteEvent(probe, read(probe, 'UsageThresholdEvent', seen), seen.shown);
      await on('updateWebhook', put({}, names().url ?? 'url', url));
      await on('redeliverFailed', {});
      await on('rotateWebhookSecret', {});
    },
  };
}

/** The name under which the service sends the event that was registered. */
function noteEvent({ facts, redactor }: Probe, reading: Reading, shown: string): void {
  const event = reading.get('event')?.value;
  const ours = 'usage_threshold';
  if (typeof event === 'string' && eventNames(ours).includes(event) && !redactor.holds(event))
    facts.note(['eventNames', ours], event, ours, shown);
}

const named = ({ facts }: Probe, field: string): Record<string, string> => ({
  [field]: `${facts.value('fields', field) ?? field}`,
});

/** An error without the ids and times in it. */
const complaint = (text: string) =>
  text.replace(/[\w-]+/g, (word) => (/\d/.test(word) ? '' : word));

/** Registers a URL, under other names if ours are invalid. */
async function register(
  probe: Probe,
  generation: Generation,
  url: string,
): Promise<Reply | undefined> {
  const { facts } = probe;
  const ours = 'usage_threshold';
  const usual = {
    name: `${facts.value('eventNames', ours) ?? ours}`,
    ...{ event: 'event', url: 'url', ...named(probe, 'event'), ...named(probe, 'url') },
  };
  const make = (as: typeof usual) =>
    call(probe, generation, 'createWebhook', {
      body: put(put({}, as.event, as.name), as.url, url),
    });
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
