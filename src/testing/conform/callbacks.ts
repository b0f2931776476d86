import type { DeploymentJson } from '../../deployment-port.ts';
import { isText } from '../../options/values.ts';
import { defaultToleranceS } from '../../webhooks/defaults.ts';
import { findScheme, headerOf, looksSigned, sentAt } from './find-scheme.ts';
import { learnStatus } from './generation.ts';
import { background, callback, signingSecret } from './requests.ts';
import { type Delivery, NotObservable, type Session } from './session.ts';
import { wanted } from './shapes.ts';
import * as verdicts from './verdicts.ts';

const { absent, differs, passed, passedIf, unlessLines, wrong } = verdicts;

const inBackground = {
  needs: ['receiver', 'spend'],
  after: ['generate.webhook-url'],
  request: background,
} as const;

/** A clause about the callback of the generation in the background. */
const ofCallback = ({
  judge,
  ...rule
}: Pick<verdicts.Rule, 'source' | 'rule'> & {
  judge(delivery: Delivery, t: Session): ReturnType<verdicts.Rule['judge']>;
}): verdicts.Rule => ({
  ...inBackground,
  ...rule,
  after: ['callback.arrives'],
  async judge(_, t) {
    const delivery = (await callback(t)) as Delivery;
    return { ...(await judge(delivery, t)), shownBy: delivery };
  },
});

/** The lines of one field. */
export const linesOf = ({ fields = {} }: DeploymentJson, { name }: { readonly name: string }) =>
  Object.hasOwn(fields, name)
    ? { fields: { [name]: (fields as Record<string, string>)[name] } }
    : {};

/** Without what is the default anyway. */
function asFound({ scheme, secretEncoding }: DeploymentJson): DeploymentJson {
  const isDefault = /^(sha256|hex|\{signature\}|x-service-(signature|token))?$/i;
  const own = Object.entries(Object(scheme)).filter(([, value]) => !isDefault.test(`${value}`));
  const encoding = secretEncoding === 'whsec' ? {} : { secretEncoding };
  return { scheme: Object.fromEntries(own), ...encoding } as unknown as DeploymentJson;
}

export const callbackRules: verdicts.Rules = {
  'generate.webhook-url': {
    source: 'given 4.1',
    rule: 'With webhookUrl, the generation runs in the background',
    ...inBackground,
    after: ['generate.prompt'],
    judge(reply) {
      const { field = '' } = reply;
      const seen = verdicts.describeReply(reply);
      if (!field) return wrong(`no field took the URL: ${seen}`);
      return verdicts.accepted(reply, `the field is ${field}`);
    },
  },
  'acknowledgement.status': {
    source: 'given 2.2',
    rule: 'The acknowledgement has the status processing',
    ...inBackground,
    judge({ value, lines }, t) {
      const { status } = value;
      if (!isText(status)) return wrong('no status');
      if (/^(completed|failed|canceled)$/.test(status)) return wrong(status);
      const words = learnStatus(t, 'processing', value);
      return unlessLines(status, { ...linesOf(lines, wanted.status), ...words });
    },
  },
  'acknowledgement.request-id': {
    source: 'given 2.2',
    rule: 'The acknowledgement has the requestId',
    ...inBackground,
    judge: ({ value, lines }) =>
      isText(value['requestId'])
        ? unlessLines('an id', linesOf(lines, wanted.requestId))
        : wrong('no id'),
  },
  'acknowledgement.code': {
    rule: 'The acknowledgement is a 202',
    ...inBackground,
    judge: ({ status }) =>
      passedIf(status === 202, '202', `${status}; no option is needed, the client takes any 2xx`),
  },
  'callback.arrives': {
    source: 'given 3',
    rule: 'The result is posted to the callback URL as JSON',
    ...inBackground,
    async judge(_, t) {
      const delivery = await callback(t);
      if (!delivery) return wrong(`nothing within ${t.options.patienceMs / 1000} s`);
      const isJson = delivery.payload !== undefined;
      const seen = `${delivery.method} ${isJson ? 'with' : 'without'} JSON`;
      return passedIf(delivery.method === 'POST' && isJson, seen, seen, delivery);
    },
  },
  'callback.fields': ofCallback({
    source: 'given 2.3',
    rule: 'The callback has requestId, result, model and usage.totalTokens',
    async judge({ payload }, t) {
      const { requestId } = (await background(t)).value;
      const isSurely = (value: unknown) => value === requestId;
      const others = [wanted.result, wanted.model, wanted.totalTokens];
      const fields = [{ ...wanted.requestId, isSurely }, ...others];
      const { value, lines } = t.read('WebhookContent', payload, fields);
      if (value['error'] !== undefined) throw new NotObservable('a generation that succeeds');
      const missing = verdicts.missingFrom(value, others);
      if (missing) return wrong(missing);
      const isOther = isText(requestId) && value['requestId'] !== requestId;
      if (isOther && Object.keys(lines).length === 0)
        return differs(`${isText(value['requestId']) ? 'another' : 'no'} requestId`);
      return unlessLines('all of them', { ...lines, ...learnStatus(t, 'completed', value) });
    },
  }),
  'callback.signature': ofCallback({
    source: 'given 5.8',
    rule: 'The callback carries X-Service-Signature, or a token, that the secret verifies',
    async judge({ headers, body }, t) {
      const secret = t.options.secret ?? (await signingSecret(t)).value['secret'];
      const found = isText(secret) ? await findScheme({ headers, body, secret }) : undefined;
      if (!found && !looksSigned(headers)) return wrong('neither a signature nor a token');
      if (!isText(secret)) throw new NotObservable('the signing secret (--secret)');
      if (!found) return differs('no scheme of a file explains it; is the secret right?');
      const lines = asFound(found);
      const { type, encoding } = Object(lines.scheme);
      const secretKind = lines.secretEncoding && `with a ${lines.secretEncoding} secret`;
      if (type !== 'standard' || secretKind)
        return differs([type, encoding, secretKind].filter(Boolean).join(' '), t.learn(lines));
      if (headerOf(headers, 'x-service-signature')) return passed('Standard Webhooks');
      return differs('only in webhook-signature, which a receiver reads too; no option is needed');
    },
  }),
  'callback.tolerance': ofCallback({
    rule: `The callback carries its time, within ${defaultToleranceS} s of this clock`,
    judge({ headers, at }, t) {
      const time = sentAt(headers, t.found);
      if (time === null) throw new NotObservable('a signature scheme that sends a time');
      if (time === undefined)
        return absent('no time, so only the memory of a receiver stops a replay');
      const seconds = Math.round(time - at / 1000);
      const isNear = Math.abs(seconds) <= defaultToleranceS;
      const seen = Number.isNaN(seconds) ? 'not a time' : `${seconds} s apart`;
      return passedIf(isNear, seen, seen);
    },
  }),
};

/** Last: a repeat takes seconds, which the other clauses use. */
export const repeatRule: verdicts.Rules = {
  'callback.repeat': ofCallback({
    rule: 'A callback answered with 500 is posted again, with the same id and body',
    async judge(first, t) {
      const msLeft = Math.max(t.options.patienceMs - (t.now() - first.at), 0);
      const isRepeat = ({ mark, body }: { mark: string | null; body: Uint8Array }) =>
        mark === first.mark && body !== first.body;
      const again = await t.waitFor(isRepeat, msLeft);
      const late = `not within ${t.options.patienceMs / 1000} s; a callback that is lost stays lost`;
      if (!again) return absent(late);
      const [id, otherId] = [first, again].map(({ headers }) => headerOf(headers, 'webhook-id'));
      if (id !== otherId) return wrong('the repeat has another webhook-id');
      return passedIf(first.text === again.text, 'the same', 'the repeat has another body');
    },
  }),
};
