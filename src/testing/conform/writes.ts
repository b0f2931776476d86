import type { OperationId } from '../../types.ts';
import { describeReply, isMissing, lacks, peek, succeeded } from './access.ts';
import { payloadOf } from './callbacks.ts';
import { unlessLines } from './generation.ts';
import { absent, differs, failed, passed, passedIf, type Rule } from './rule.ts';
import { isOk, NotObservable, type Session } from './session.ts';
import { at, isText, wanted } from './shapes.ts';

const ofKeys: readonly OperationId[] = ['getApiKey', 'revokeApiKey', 'regenerateApiKey'];
const ofWebhooks: readonly OperationId[] = [
  ...(['getWebhook', 'deleteWebhook', 'updateWebhook', 'rotateWebhookSecret'] as const),
  ...(['testWebhook', 'listDeliveries', 'redeliverFailed'] as const),
];
const otherEvents = ['usage.threshold', 'usage-threshold', 'usageThreshold', 'USAGE_THRESHOLD'];

/** A new key, found by its shape. */
const newKey = (session: Session) =>
  session.once('key', async () => {
    const name = session.id;
    const { reply, lines: moved } = await session.trying(
      (as) => session.create('createApiKey', `an API key named ${name}`, { body: { name }, as }),
      (one) => !isMissing(one),
      () => [{ paths: { createApiKey: '/api-keys/generate' } }],
    );
    const body = isOk(reply) ? reply.body : undefined;
    const { value, lines } = session.read('createApiKey', body, [wanted.key, wanted.id]);
    const { key, id } = value;
    const { note } = reply;
    session.keepSecret(key);
    if (isText(id)) session.removesBy(note, id, async () => isOk(await revoke(session, id)));
    return { reply, note, moved, lines, key, id };
  });

const revoke = (session: Session, id: string) =>
  session.send('revokeApiKey', { params: [id], isRemoval: true });

const isAccepted = async (session: Session, key: string) =>
  (await session.send('getUsage', { apiKey: key })).status !== 401;

/** Shares a request with another clause: that only looks whether the operation exists. */
async function keyWorks(session: Session, key: string): Promise<boolean> {
  const operation = 'listCallbackDeliveries';
  const reply = await session.once(operation, () =>
    session.send(operation, { apiKey: key, query: '?limit=1' }),
  );
  if (![0, 401].includes(reply.status) && !isMissing(reply)) return true;
  session.remember(operation);
  return isAccepted(session, key);
}

const newRegistration = (session: Session) =>
  session.once('registration', async () => {
    const { receiver } = session.options;
    // A reserved name that leads nowhere.
    const url = new URL(receiver?.url ?? 'https://conform.invalid/events');
    url.searchParams.set('conform', 'event');
    const created = { event: 'usage_threshold', url: url.href };
    const { reply, lines: named } = await session.trying(
      (as) =>
        session.create('createWebhook', `a registration of ${url.href}`, { body: created, as }),
      isOk,
      ({ status }) => {
        const names = [session.knows.eventNames?.['usage_threshold'] ?? [], otherEvents].flat();
        const isRefused = [400, 422].includes(status);
        return isRefused ? names.map((name) => ({ eventNames: { usage_threshold: name } })) : [];
      },
    );
    const body = isOk(reply) ? reply.body : undefined;
    const { value, lines } = session.read('createWebhook', body, [wanted.secret, wanted.id]);
    const { id, secret } = value;
    const { note } = reply;
    session.keepSecret(secret);
    const params = isText(id) ? [id] : [];
    const remove = async () =>
      isOk(await session.send('deleteWebhook', { params, isRemoval: true }));
    if (isText(id)) session.removesBy(note, id, remove);
    return { reply, named, value, lines, params, note };
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
      const { reply, moved } = await newKey(session);
      if (reply.status === 403) throw new NotObservable("an administrator's key: 403");
      return isOk(reply) && moved
        ? differs(reply, 'it is /api-keys/generate', moved)
        : succeeded(reply);
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
      const reply = await peek(session, 'listApiKeys');
      if (reply.text.includes(`${key}`)) return failed(reply, 'the list of keys contains it');
      return passed(
        reply,
        isMissing(reply) ? 'keys cannot be listed' : 'the list does not contain it',
      );
    },
  },
  {
    id: 'keys.revoke',
    rule: 'A revoked key is rejected with 401',
    after: ['credentials.accepted'],
    async judge(session) {
      const list = await peek(session, 'listApiKeys');
      const lacking = lacks(session, list, 'listApiKeys', ...ofKeys);
      if (lacking) return lacking;
      if (!session.options.allowWrites) throw new NotObservable('--allow-writes');
      const { key, id, note } = await newKey(session);
      if (!isText(key) || !isText(id)) throw new NotObservable('the id of a new key');
      const reply = await revoke(session, id);
      const cannot = lacks(session, reply, 'revokeApiKey');
      if (cannot) return cannot;
      if (isOk(reply)) session.unmake(note);
      return passedIf(
        !(await isAccepted(session, key)),
        reply,
        '401',
        'the revoked key still works',
      );
    },
  },
  {
    id: 'registrations.create',
    source: 'given 4.3',
    rule: 'POST /api/webhooks registers a URL for usage_threshold',
    ...writes,
    after: ['credentials.accepted'],
    async judge(session) {
      const { reply, named } = await newRegistration(session);
      if (reply.status === 403) throw new NotObservable("an administrator's key: 403");
      if (!named) return succeeded(reply);
      const event = named.eventNames?.['usage_threshold'];
      const seen = `the event is called ${event}; add the names of the others by hand`;
      return differs(reply, seen, named);
    },
  },
  {
    id: 'registrations.secret',
    rule: 'A registration has an id and a secret of its own',
    ...writes,
    after: ['registrations.create'],
    async judge(session) {
      const { reply, value, lines } = await newRegistration(session);
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
      const { params } = await newRegistration(session);
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
    rule: 'Registrations can be listed and deleted, deliveries listed, and the signing secret read',
    after: ['credentials.accepted'],
    async judge(session) {
      const { allowWrites } = session.options;
      const { params = [], note } = allowWrites ? await newRegistration(session) : {};
      const isDeleted = await note?.remove?.();
      if (note && isDeleted) session.unmake(note);
      // Listed only now: that shows both whether it can be listed, and whether it is gone.
      const list = await session.once('listWebhooks', () => session.send('listWebhooks'));
      const [deliveries, secret] = [
        await peek(session, 'listCallbackDeliveries'),
        await peek(session, 'getSigningSecret'),
      ];
      const missing = [
        lacks(session, list, 'listWebhooks', ...ofWebhooks),
        lacks(session, deliveries, 'listCallbackDeliveries', 'redeliver'),
        lacks(session, secret, 'getSigningSecret', 'rotateSigningSecret'),
      ].filter((one) => one !== undefined);
      const [first] = missing;
      if (first) {
        const all = missing.flatMap(({ adapt }) => adapt?.absent ?? []);
        const seen = missing.map((one) => one.seen).join(', ');
        return { ...first, seen, adapt: { absent: all } };
      }
      if (!allowWrites) throw new NotObservable('--allow-writes');
      if (!note || params.length === 0) throw new NotObservable('the id of a registration');
      if (!isDeleted)
        return absent(
          list,
          'it could not be deleted',
          session.learn({ absent: ['deleteWebhook'] }),
        );
      const isListed = list.text.includes(params[0] as string);
      return passedIf(!isListed, list, 'it is gone', 'it is still listed');
    },
  },
];
