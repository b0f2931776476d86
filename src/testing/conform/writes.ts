import { isText } from '../../options/values.ts';
import type { OperationId } from '../../types.ts';
import { linesOf } from './callbacks.ts';
import { deliveries, listOfKeys, newKey, newRegistration, signingSecret } from './requests.ts';
import { isOk, NotObservable, type Reply, type Session } from './session.ts';
import { at, wanted } from './shapes.ts';
import * as verdicts from './verdicts.ts';

const { absent, differs, isMissing, lacks, missingFrom, passed, passedIf, unlessLines, wrong } =
  verdicts;

const ofKeys: readonly OperationId[] = ['getApiKey', 'revokeApiKey', 'regenerateApiKey'];
const ofWebhooks: readonly OperationId[] = [
  ...(['getWebhook', 'deleteWebhook', 'updateWebhook', 'rotateWebhookSecret'] as const),
  ...(['testWebhook', 'listDeliveries', 'redeliverFailed'] as const),
];

const ofCallbacks: readonly OperationId[] = ['redeliverFailedCallbacks', 'redeliver'];

const isAccepted = async (t: Session, key: string) =>
  (await t.send('getUsage', { apiKey: key })).status !== 401;

/** Passed if it was created, perhaps under other names. */
function created(reply: Reply, way: string) {
  if (reply.status === 403) throw new NotObservable("an administrator's key: 403");
  return verdicts.accepted(reply, way);
}

const writes = { needs: ['write', 'admin'] as const };

export const writeRules: verdicts.Rules = {
  'keys.create': {
    source: 'given 4.2',
    rule: 'POST /api/auth/api-keys, or /api-keys/generate, creates a key',
    ...writes,
    after: ['credentials.accepted'],
    request: newKey,
    judge: (reply) => created(reply, 'it is /api-keys/generate'),
  },
  'keys.shown': {
    source: 'given 2.1',
    rule: 'The response contains the new key, and the key works',
    ...writes,
    after: ['keys.create'],
    request: newKey,
    async judge({ value, lines }, t) {
      const { key } = value;
      if (!isText(key)) return wrong('no key in the response');
      const used = await deliveries(t);
      // A gateway can look for the path before it looks at the key.
      const isUnclear = isMissing(used) || used.status === 0;
      const works = isUnclear ? await isAccepted(t, key) : used.status !== 401;
      if (!works) return wrong('the new key is rejected');
      return unlessLines('it works', linesOf(lines, wanted.key));
    },
  },
  'keys.hidden': {
    source: 'given 2.1',
    rule: 'A key cannot be read again',
    ...writes,
    after: ['keys.shown'],
    request: listOfKeys,
    async judge(list, t) {
      const { key } = (await newKey(t)).value;
      const seen = isMissing(list) ? 'keys cannot be listed' : 'the list does not contain it';
      return passedIf(!list.text.includes(`${key}`), seen, 'the list of keys contains it');
    },
  },
  'keys.revoke': {
    rule: 'A revoked key is rejected with 401',
    after: ['credentials.accepted'],
    waitsFor: ['keys.hidden'],
    request: listOfKeys,
    async judge(list, t) {
      const lacking = lacks(t, list, 'listApiKeys', ...ofKeys);
      if (lacking) return lacking;
      if (!t.options.allowWrites) throw new NotObservable('--allow-writes');
      const { value, remove } = await newKey(t);
      const { key } = value;
      if (!isText(key) || !remove) throw new NotObservable('the id of a new key');
      const removal = await remove();
      const cannot = lacks(t, removal, 'revokeApiKey');
      if (cannot) return cannot;
      const isRejected = !(await isAccepted(t, key));
      return passedIf(isRejected, '401', 'the revoked key still works', removal);
    },
  },
  'registrations.create': {
    source: 'given 4.3',
    rule: 'POST /api/webhooks registers a URL for usage_threshold',
    ...writes,
    after: ['credentials.accepted'],
    request: newRegistration,
    judge(reply) {
      const event = reply.moved?.eventNames?.['usage_threshold'];
      return created(reply, `the event is called ${event}; add the names of the others by hand`);
    },
  },
  'registrations.secret': {
    rule: 'A registration has an id and a secret of its own',
    ...writes,
    after: ['registrations.create'],
    request: newRegistration,
    judge({ value, lines }) {
      const missing = missingFrom(value, [wanted.id, wanted.secret]);
      return missing ? absent(missing) : unlessLines('both', lines);
    },
  },
  'registrations.event': {
    source: 'given 2.5',
    rule: 'A notification has event, organization, usage and threshold',
    needs: ['write', 'admin', 'receiver'],
    after: ['registrations.create'],
    async request(t) {
      const { id } = (await newRegistration(t)).value;
      if (!isText(id)) throw new NotObservable('a way to send a test event');
      return t.send('testWebhook', { id });
    },
    async judge(reply, t) {
      const seen = verdicts.describeReply(reply);
      if (!isOk(reply)) throw new NotObservable(`a test event: ${seen}`);
      const delivery = await t.waitFor(({ mark }) => mark === 'event');
      if (!delivery) return wrong(`nothing within ${t.options.patienceMs / 1000} s`);
      const { value } = t.read('createWebhook', delivery.payload);
      const { event, organization, usage, threshold } = wanted;
      const missing = missingFrom(value, [event, organization, usage, threshold]);
      if (missing) return wrong(missing, {}, delivery);
      const name = `${at(value, 'event')}`;
      const known = t.found.eventNames?.['usage_threshold'] ?? 'usage_threshold';
      if (name === known) return passed('all of them', delivery);
      const lines = t.learn({ eventNames: { usage_threshold: name } });
      return differs(`the event is called ${name}`, lines, delivery);
    },
  },
  'registrations.manage': {
    rule: 'Registrations can be listed and deleted, deliveries listed, and a secret read if none is passed',
    after: ['credentials.accepted'],
    waitsFor: ['keys.shown', 'registrations.secret', 'registrations.event'],
    async request(t) {
      const { remove } = t.options.allowWrites ? await newRegistration(t) : {};
      const removal = await remove?.();
      // Listed only now: that shows both whether it can be listed, and whether it is gone.
      return { ...(await t.send('listWebhooks')), ...(removal && { removal }) };
    },
    async judge(list, t) {
      const lists = [
        lacks(t, list, 'listWebhooks', ...ofWebhooks),
        lacks(t, await deliveries(t), 'listCallbackDeliveries', ...ofCallbacks),
      ];
      // A service that has the lists is not asked for a secret that is known.
      const isAsked = t.options.secret === undefined || lists.some(Boolean);
      const secret = isAsked
        ? lacks(t, await signingSecret(t), 'getSigningSecret', 'rotateSigningSecret')
        : undefined;
      const lacking = [...lists, secret].filter((one) => one !== undefined);
      if (lacking.length > 0) {
        const all = lacking.flatMap(({ lines }) => lines.absent ?? []);
        const seen = lacking.map((one) => one.seen).join(', ');
        return absent(seen, { absent: all }, lacking[0]?.shownBy);
      }
      if (!t.options.allowWrites) throw new NotObservable('--allow-writes');
      const { removal } = list;
      if (!removal) throw new NotObservable('the id of a registration');
      if (!isOk(removal))
        return absent('it could not be deleted', t.learn({ absent: ['deleteWebhook'] }));
      const { id } = (await newRegistration(t)).value;
      return passedIf(!list.text.includes(`${id}`), 'it is gone', 'it is still listed');
    },
  },
};
