import type { OperationId } from '../../types.ts';
import { describeReply, isMissing, isOk, peek } from './access.ts';
import { payloadOf } from './callbacks.ts';
import { unlessLines } from './generation.ts';
import { absent, differs, failed, passed, type Rule } from './rule.ts';
import { NotObservable, type Session } from './session.ts';
import { at, isText, wanted } from './shapes.ts';

const ofKeys: readonly OperationId[] = ['getApiKey', 'revokeApiKey', 'regenerateApiKey'];
const ofWebhooks: readonly OperationId[] = [
  ...(['getWebhook', 'deleteWebhook', 'updateWebhook', 'rotateWebhookSecret'] as const),
  ...(['testWebhook', 'listDeliveries', 'redeliverFailed'] as const),
];
const otherEvents = ['usage.threshold', 'usage-threshold', 'usageThreshold', 'USAGE_THRESHOLD'];

const name = 'contentgen conform';

const createKey = (session: Session) =>
  session.once('key', async () => {
    const first = await session.send('createApiKey', { body: { name } });
    if (!isMissing(first)) return { reply: first };
    const path = '/api-keys/generate';
    const other = await session.send('createApiKey', { body: { name }, path });
    if (isMissing(other)) return { reply: first };
    return { reply: other, lines: session.learn({ paths: { createApiKey: path } }) };
  });

/** The new key, found by its shape and by whether it works. */
const newKey = (session: Session) =>
  session.once('new key', async () => {
    const { reply } = await createKey(session);
    const { value, lines } = session.read('createApiKey', reply.body, [wanted.key, wanted.id]);
    const { key, id } = value;
    session.keepSecret(key);
    const revoke = async () =>
      isText(id) && isOk(await session.send('revokeApiKey', { params: [id], isRemoval: true }));
    session.made(`an API key${isText(id) ? ` (${id})` : ''}`, revoke);
    return { reply, key, id, lines, revoke };
  });

const keyWorks = async (session: Session, key: string) =>
  (await session.send('getUsage', { apiKey: key })).status !== 401;

const register = (session: Session) =>
  session.once('registration', async () => {
    const { receiver } = session.options;
    // A reserved name that leads nowhere.
    const url = new URL(receiver?.url ?? 'https://conform.invalid/events');
    url.searchParams.set('conform', 'event');
    const hint = session.knows.eventNames?.['usage_threshold'];
    const events = ['usage_threshold', ...(hint ? [hint] : []), ...otherEvents];
    const tried = [];
    for (const event of events) {
      const reply = await session.send('createWebhook', { body: { event, url: url.href } });
      tried.push(reply);
      if (isOk(reply)) {
        if (event !== 'usage_threshold') session.learn({ eventNames: { usage_threshold: event } });
        return { reply, event };
      }
      if (![400, 422].includes(reply.status)) break;
    }
    return { reply: tried[0] as (typeof tried)[number], event: undefined };
  });

const registered = (session: Session) =>
  session.once('registered', async () => {
    const { reply } = await register(session);
    const { secret, id } = wanted;
    const { value, lines } = session.read('createWebhook', reply.body, [secret, id]);
    session.keepSecret(value['secret']);
    const params = isText(value['id']) ? [value['id']] : [];
    const remove = async () =>
      params.length > 0 && isOk(await session.send('deleteWebhook', { params, isRemoval: true }));
    if (isOk(reply)) session.made(['a registration', ...params].join(' '), remove);
    return { reply, value, lines, params, remove };
  });

const writes = { needs: ['write', 'admin'] as const };

export const writeRules: readonly Rule[] = [
  {
    id: 'keys.create',
    source: 'given 4.2',
    rule: 'POST /api/auth/api-keys, or /api-keys/generate, creates a key',
    ...writes,
    after: ['credentials.accepted'],
    async judge(session) {
      const { reply, lines } = await createKey(session);
      if (reply.status === 403) throw new NotObservable("an administrator's key: 403");
      if (!isOk(reply)) return failed(reply, describeReply(reply));
      return lines
        ? differs(reply, 'it is /api-keys/generate', lines)
        : passed(reply, describeReply(reply));
    },
  },
  {
    id: 'keys.shown',
    source: 'given 2.1',
    rule: 'The response contains the new key, and the key works',
    ...writes,
    after: ['keys.create'],
    async judge(session) {
      const { reply, key, lines } = await newKey(session);
      if (!isText(key)) return failed(reply, 'no key in the response');
      if (!(await keyWorks(session, key))) return failed(reply, 'the new key is rejected');
      const { key: theirs } = lines.fields ?? {};
      return unlessLines(reply, 'it works', theirs ? { fields: { key: theirs } } : {});
    },
  },
  {
    id: 'keys.hidden',
    source: 'given 2.1',
    rule: 'A key cannot be read again',
    ...writes,
    after: ['keys.shown'],
    async judge(session) {
      const { key } = await newKey(session);
      const reply = await session.once('listApiKeys', () =>
        session.send('listApiKeys', { query: '?limit=1' }),
      );
      return reply.text.includes(`${key}`)
        ? failed(reply, 'the list of keys contains it')
        : passed(
            reply,
            isMissing(reply) ? 'keys cannot be listed' : 'the list does not contain it',
          );
    },
  },
  {
    id: 'keys.revoke',
    source: 'ours',
    rule: 'A revoked key is rejected with 401',
    after: ['credentials.accepted'],
    async judge(session) {
      const missing = await peek(session, 'listApiKeys', ofKeys);
      if (missing) return missing;
      if (!session.options.allowWrites) throw new NotObservable('--allow-writes');
      const { key, id } = await newKey(session);
      if (!isText(key) || !isText(id)) throw new NotObservable('the id of a new key');
      const reply = await session.send('revokeApiKey', { params: [id], isRemoval: true });
      if (isMissing(reply)) {
        const adapt = session.learn({ absent: ['revokeApiKey'] });
        return { ...absent(reply, describeReply(reply)), adapt };
      }
      if (await keyWorks(session, key)) return differs(reply, 'the revoked key still works');
      session.unmake('an API key');
      return passed(reply, '401');
    },
  },
  {
    id: 'registrations.create',
    source: 'given 4.3',
    rule: 'POST /api/webhooks registers a URL for usage_threshold',
    ...writes,
    after: ['credentials.accepted'],
    async judge(session) {
      const { reply, event } = await register(session);
      if (reply.status === 403) throw new NotObservable("an administrator's key: 403");
      if (event === undefined) return failed(reply, describeReply(reply));
      if (event === 'usage_threshold') return passed(reply, describeReply(reply));
      const { eventNames = {} } = session.found;
      return differs(reply, `the event is called ${event}`, { eventNames });
    },
  },
  {
    id: 'registrations.secret',
    source: 'ours',
    rule: 'A registration has an id and a secret of its own',
    ...writes,
    after: ['registrations.create'],
    async judge(session) {
      const { reply, value, lines } = await registered(session);
      const missing = ['id', 'secret'].filter((field) => !isText(value[field]));
      if (missing.length > 0) return absent(reply, `no ${missing.join(' and no ')}`);
      return unlessLines(reply, 'both', lines);
    },
  },
  {
    id: 'registrations.event',
    source: 'given 2.5',
    rule: 'A notification has event, organization, usage and threshold',
    needs: ['write', 'admin', 'receiver'],
    after: ['registrations.create'],
    async judge(session) {
      const { params } = await registered(session);
      if (params.length === 0) throw new NotObservable('a way to send a test event');
      const reply = await session.send('testWebhook', { params });
      if (!isOk(reply)) throw new NotObservable(`a test event: ${describeReply(reply)}`);
      const delivery = await session.waitFor(({ mark }) => mark === 'event');
      if (!delivery) return failed(reply, `nothing within ${session.patienceMs / 1000} s`);
      const { value } = session.read('createWebhook', payloadOf(delivery), [], ['event']);
      const missing = Object.entries({
        event: 'string',
        organization: 'string',
        usage: 'number',
        threshold: 'number',
      })
        .filter(([field, type]) => typeof at(value, field) !== type)
        .map(([field]) => field);
      if (missing.length > 0) return failed(reply, `without ${missing.join(', ')}`);
      const { event } = value;
      const known = session.found.eventNames?.['usage_threshold'] ?? 'usage_threshold';
      if (event === known) return passed(reply, 'all of them');
      const lines = session.learn({ eventNames: { usage_threshold: `${event}` } });
      return differs(reply, `the event is called ${event}`, lines);
    },
  },
  {
    id: 'registrations.manage',
    source: 'ours',
    rule: 'Registrations can be listed and deleted, deliveries listed, and the signing secret read',
    after: ['credentials.accepted'],
    async judge(session) {
      const missing = [
        await peek(session, 'listWebhooks', ofWebhooks),
        await peek(session, 'listCallbackDeliveries', ['redeliver']),
        await peek(session, 'getSigningSecret', ['rotateSigningSecret']),
      ].filter((one) => one !== undefined);
      const [first] = missing;
      if (first) {
        const all = missing.flatMap(({ adapt }) => adapt?.absent ?? []);
        const seen = missing.map((one) => one.seen).join(', ');
        return { ...first, seen, adapt: { absent: all } };
      }
      if (!session.options.allowWrites) throw new NotObservable('--allow-writes');
      const { params, remove } = await registered(session);
      if (params.length === 0) throw new NotObservable('the id of a registration');
      if (!(await remove())) {
        const adapt = session.learn({ absent: ['deleteWebhook'] });
        return { ...absent(undefined, 'it could not be deleted'), adapt };
      }
      session.unmake('a registration');
      const reply = await session.send('listWebhooks', { isRemoval: true });
      const isListed = reply.text.includes(params[0] as string);
      return isListed ? differs(reply, 'it is still listed') : passed(reply, 'it is gone');
    },
  },
];
