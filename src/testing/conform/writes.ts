import { isText } from '../../option-rules.ts';
import type { OperationId } from '../../types.ts';
import { describeReply, isMissing, lacks, peek, succeeded } from './access.ts';
import { linesOf, payloadOf, urlOf } from './callbacks.ts';
import { unlessLines } from './generation.ts';
import { absent, differs, failed, passed, passedIf, type Rules } from './rule.ts';
import { isOk, NotObservable, type Session } from './session.ts';
import { at, wanted } from './shapes.ts';

const ofKeys: readonly OperationId[] = ['getApiKey', 'revokeApiKey', 'regenerateApiKey'];
const ofWebhooks: readonly OperationId[] = [
  ...(['getWebhook', 'deleteWebhook', 'updateWebhook', 'rotateWebhookSecret'] as const),
  ...(['testWebhook', 'listDeliveries', 'redeliverFailed'] as const),
];
const otherEvents = ['usage.threshold', 'usage-threshold', 'usageThreshold', 'USAGE_THRESHOLD'];

const newKey = (t: Session) =>
  t.once('key', () =>
    t.create({
      operation: 'createApiKey',
      removal: 'revokeApiKey',
      secret: wanted.key,
      what: `an API key named ${t.id}`,
      body: { name: t.id },
      isTaken: (reply) => !isMissing(reply),
      others: () => [{ paths: { createApiKey: '/api-keys/generate' } }],
    }),
  );

const isAccepted = async (t: Session, key: string) =>
  (await t.send('getUsage', { apiKey: key })).status !== 401;

/** Shares a request with another clause: that only looks whether the operation exists. */
async function keyWorks(t: Session, key: string): Promise<boolean> {
  const operation = 'listCallbackDeliveries';
  const reply = await t.once(operation, () =>
    t.send(operation, { apiKey: key, query: '?limit=1' }),
  );
  if (![0, 401].includes(reply.status) && !isMissing(reply)) return true;
  t.remember(operation);
  return isAccepted(t, key);
}

const newRegistration = (t: Session) =>
  t.once('registration', () => {
    // A reserved name that leads nowhere.
    const url = urlOf(t.options.receiver?.url ?? 'https://conform.invalid/events', 'event');
    return t.create({
      operation: 'createWebhook',
      removal: 'deleteWebhook',
      secret: wanted.secret,
      what: `a registration of ${url}`,
      body: { event: 'usage_threshold', url },
      isTaken: isOk,
      others({ status }) {
        const names = [t.knows.eventNames?.['usage_threshold'] ?? [], otherEvents].flat();
        const isRefused = [400, 422].includes(status);
        return isRefused ? names.map((name) => ({ eventNames: { usage_threshold: name } })) : [];
      },
    });
  });

/** Passed if it was created, perhaps under other names. */
function creation({ reply, moved }: Awaited<ReturnType<typeof newKey>>, seen: string) {
  if (reply.status === 403) throw new NotObservable("an administrator's key: 403");
  return isOk(reply) && moved ? differs(reply, seen, moved) : succeeded(reply);
}

const writes = { needs: ['write', 'admin'] as const };

export const writeRules: Rules = {
  'keys.create': {
    source: 'given 4.2',
    rule: 'POST /api/auth/api-keys, or /api-keys/generate, creates a key',
    ...writes,
    after: ['credentials.accepted'],
    judge: async (t) => creation(await newKey(t), 'it is /api-keys/generate'),
  },
  'keys.shown': {
    source: 'given 2.1',
    rule: 'The response contains the new key, and the key works',
    ...writes,
    after: ['keys.create'],
    async judge(t) {
      const { reply, value, lines } = await newKey(t);
      const { key } = value;
      if (!isText(key)) return failed(reply, 'no key in the response');
      if (!(await keyWorks(t, key))) return failed(reply, 'the new key is rejected');
      return unlessLines(reply, 'it works', linesOf(lines, 'key'));
    },
  },
  'keys.hidden': {
    source: 'given 2.1',
    rule: 'A key cannot be read again',
    ...writes,
    after: ['keys.shown'],
    async judge(t) {
      const { key } = (await newKey(t)).value;
      const reply = await peek(t, 'listApiKeys');
      if (reply.text.includes(`${key}`)) return failed(reply, 'the list of keys contains it');
      return passed(
        reply,
        isMissing(reply) ? 'keys cannot be listed' : 'the list does not contain it',
      );
    },
  },
  'keys.revoke': {
    rule: 'A revoked key is rejected with 401',
    after: ['credentials.accepted'],
    waitsFor: ['keys.hidden'],
    async judge(t) {
      const list = await peek(t, 'listApiKeys');
      const lacking = lacks(t, list, 'listApiKeys', ...ofKeys);
      if (lacking) return lacking;
      if (!t.options.allowWrites) throw new NotObservable('--allow-writes');
      const { value, remove } = await newKey(t);
      const { key } = value;
      if (!isText(key) || !remove) throw new NotObservable('the id of a new key');
      const reply = await remove();
      const cannot = lacks(t, reply, 'revokeApiKey');
      if (cannot) return cannot;
      const isRejected = !(await isAccepted(t, key));
      return passedIf(isRejected, reply, '401', 'the revoked key still works');
    },
  },
  'registrations.create': {
    source: 'given 4.3',
    rule: 'POST /api/webhooks registers a URL for usage_threshold',
    ...writes,
    after: ['credentials.accepted'],
    async judge(t) {
      const created = await newRegistration(t);
      const event = created.moved?.eventNames?.['usage_threshold'];
      return creation(created, `the event is called ${event}; add the names of the others by hand`);
    },
  },
  'registrations.secret': {
    rule: 'A registration has an id and a secret of its own',
    ...writes,
    after: ['registrations.create'],
    async judge(t) {
      const { reply, value, lines } = await newRegistration(t);
      const missing = ['id', 'secret'].filter((field) => !isText(value[field]));
      if (missing.length > 0) return absent(reply, `no ${missing.join(' and no ')}`);
      return unlessLines(reply, 'both', lines);
    },
  },
  'registrations.event': {
    source: 'given 2.5',
    rule: 'A notification has event, organization, usage and threshold',
    needs: ['write', 'admin', 'receiver'],
    after: ['registrations.create'],
    async judge(t) {
      const { id } = (await newRegistration(t)).value;
      if (!isText(id)) throw new NotObservable('a way to send a test event');
      const reply = await t.send('testWebhook', { params: [id] });
      if (!isOk(reply)) throw new NotObservable(`a test event: ${describeReply(reply)}`);
      const delivery = await t.waitFor(({ mark }) => mark === 'event');
      if (!delivery) return failed(reply, `nothing within ${t.patienceMs / 1000} s`);
      const { value } = t.read('createWebhook', payloadOf(delivery), [], ['event']);
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
      const known = t.found.eventNames?.['usage_threshold'] ?? 'usage_threshold';
      if (event === known) return passed(reply, 'all of them');
      const lines = t.learn({ eventNames: { usage_threshold: `${event}` } });
      return differs(reply, `the event is called ${event}`, lines);
    },
  },
  'registrations.manage': {
    rule: 'Registrations can be listed and deleted, deliveries listed, and the signing secret read',
    after: ['credentials.accepted'],
    waitsFor: ['registrations.secret', 'registrations.event'],
    async judge(t) {
      const { allowWrites } = t.options;
      const { value, remove } = allowWrites ? await newRegistration(t) : {};
      const removal = await remove?.();
      // Listed only now: that shows both whether it can be listed, and whether it is gone.
      const list = await t.send('listWebhooks');
      const deliveries = await peek(t, 'listCallbackDeliveries');
      const secret = await peek(t, 'getSigningSecret');
      const missing = [
        lacks(t, list, 'listWebhooks', ...ofWebhooks),
        lacks(t, deliveries, 'listCallbackDeliveries', 'redeliver'),
        lacks(t, secret, 'getSigningSecret', 'rotateSigningSecret'),
      ].filter((one) => one !== undefined);
      const [first] = missing;
      if (first) {
        const all = missing.flatMap(({ adapt }) => adapt?.absent ?? []);
        const seen = missing.map((one) => one.seen).join(', ');
        return { ...first, seen, adapt: { absent: all } };
      }
      if (!allowWrites) throw new NotObservable('--allow-writes');
      if (!removal) throw new NotObservable('the id of a registration');
      const stays = 'it could not be deleted';
      if (!isOk(removal)) return absent(list, stays, t.learn({ absent: ['deleteWebhook'] }));
      const isGone = !list.text.includes(`${value?.['id']}`);
      return passedIf(isGone, list, 'it is gone', 'it is still listed');
    },
  },
};
