import type { Deployment } from '../../deployment.ts';
import { isText } from '../../option-rules.ts';
import { defaultToleranceS } from '../../webhooks/settings.ts';
import { describeReply, peek } from './access.ts';
import { digest, findScheme, headerOf, sentAt } from './find-scheme.ts';
import { learnStatus, unlessLines } from './generation.ts';
import type { ReceivedDelivery } from './receiver.ts';
import { absent, differs, failed, passed, passedIf, type Rules } from './rule.ts';
import { isOk, NotObservable, prompt, type Reply, type Session } from './session.ts';
import { at, parseJson, wanted } from './shapes.ts';

const otherFields = [
  ...['callbackUrl', 'callback_url', 'webhook_url', 'callback', 'webhook', 'url', 'notifyUrl'],
  ...['notificationUrl', 'notification_url', 'callbackURL', 'webhookURL', 'hook', 'hookUrl'],
];

/** A URL that says what is posted there. */
export function urlOf(receiver: string, mark: string): string {
  const url = new URL(receiver);
  url.searchParams.set('conform', mark);
  return url.href;
}

export const receiverUrl = ({ options }: Session, mark: string) =>
  urlOf(options.receiver?.url as string, mark);

const isAcknowledgement = (t: Session, reply: Reply) =>
  isOk(reply) &&
  reply.body !== undefined &&
  !isText(at(t.read('generateContent', reply.body, []).value, 'result'));

/** A generation in the background, and the field that took the callback URL; it is searched. */
const started = (t: Session) =>
  t.once('started', async () => {
    const reply = await t.generate({ prompt, webhookUrl: receiverUrl(t, 'webhookUrl') });
    if (isAcknowledgement(t, reply)) return { reply, field: 'webhookUrl' };
    const isRefused = !isOk(reply) && /webhookUrl/.test(reply.text) && !/unknown/.test(reply.text);
    if (isRefused) throw new NotObservable(`a --receiver-url that the service accepts`);
    const names = [...new Set([t.knows.webhookUrlField ?? [], otherFields].flat())];
    const urls = Object.fromEntries(names.map((name) => [name, receiverUrl(t, name)]));
    // All of them at once: the URL that is called says which one it was.
    const all = await t.generate({ prompt, ...urls }, { isInvalid: true });
    if (isAcknowledgement(t, all)) {
      const { mark } = (await t.waitFor((one) => names.includes(`${one.mark}`))) ?? {};
      if (mark) return { reply: all, field: mark };
    }
    for (const field of isOk(all) ? [] : names) {
      const body = { prompt, webhookUrl: receiverUrl(t, field) };
      const one = await t.generate(body, { as: { webhookUrlField: field } });
      if (isAcknowledgement(t, one)) return { reply: one, field };
    }
    return { reply };
  });

const acknowledged = (t: Session) =>
  t.once('acknowledged', async () => {
    const { reply } = await started(t);
    return { reply, ...t.read('generateContent', reply.body, [wanted.status, wanted.requestId]) };
  });

/** The lines of one field, and the wrapper, which is named with the first. */
export function linesOf({ wrap, fields = {} }: Deployment, name: string): Deployment {
  const theirs = fields[name];
  return {
    ...(wrap && name === 'status' && { wrap }),
    ...(theirs !== undefined && { fields: { [name]: theirs } }),
  };
}

const arrived = (t: Session) =>
  t.once('arrived', async () => {
    const { field } = await started(t);
    return t.waitFor(({ mark }) => mark === field);
  });

async function delivered(t: Session) {
  const delivery = await arrived(t);
  if (!delivery) throw new NotObservable('a callback');
  return { ...delivery, ...t.show(delivery) };
}

const textOf = ({ body }: ReceivedDelivery) => new TextDecoder().decode(body);
export const payloadOf = (delivery: ReceivedDelivery) => parseJson(textOf(delivery));

/** The secret of result callbacks: the given one, or what the service returns. */
async function signingSecret(t: Session): Promise<string | undefined> {
  if (t.options.secret !== undefined) return t.options.secret;
  const reply = await peek(t, 'getSigningSecret');
  const { secret } = t.read('getSigningSecret', reply.body, [wanted.secret]).value;
  t.keepSecret(secret);
  return isOk(reply) && isText(secret) ? secret : undefined;
}

/** Without what is the default anyway. */
function asFound({ scheme, secretEncoding }: Deployment): Deployment {
  const isDefault = /^(sha256|hex||true|x-service-(signature|token))$/i;
  const own = Object.entries(Object(scheme)).filter(([, value]) => !isDefault.test(`${value}`));
  const isOwnEncoding = secretEncoding !== undefined && secretEncoding !== 'whsec';
  return {
    scheme: Object.fromEntries(own),
    ...(isOwnEncoding && { secretEncoding }),
  } as Deployment;
}

export const inBackground = {
  needs: ['receiver', 'spend'],
  after: ['generate.webhook-url'],
} as const;

export const callbackRules: Rules = {
  'generate.webhook-url': {
    source: 'given 4.1',
    rule: 'With webhookUrl, the generation runs in the background',
    ...inBackground,
    after: ['generate.prompt'],
    async judge(t) {
      const { reply, field } = await started(t);
      if (!field) return failed(reply, `no field took the URL: ${describeReply(reply)}`);
      if (field === 'webhookUrl') return passed(reply, describeReply(reply));
      const lines = t.learn({ webhookUrlField: field });
      return differs(reply, `the field is ${field}`, lines);
    },
  },
  'acknowledgement.status': {
    source: 'given 2.2',
    rule: 'The acknowledgement has the status processing',
    ...inBackground,
    async judge(t) {
      const { reply, value, lines } = await acknowledged(t);
      const { status } = value;
      if (!isText(status)) return failed(reply, 'no status');
      const all = { ...linesOf(lines, 'status'), ...learnStatus(t, 'processing', value) };
      if (/^(completed|failed|canceled)$/.test(status)) return failed(reply, status);
      return unlessLines(reply, status, all);
    },
  },
  'acknowledgement.request-id': {
    source: 'given 2.2',
    rule: 'The acknowledgement has the requestId',
    ...inBackground,
    async judge(t) {
      const { reply, value, lines } = await acknowledged(t);
      if (!isText(value['requestId'])) return failed(reply, 'no id');
      return unlessLines(reply, 'an id', linesOf(lines, 'requestId'));
    },
  },
  'acknowledgement.code': {
    rule: 'The acknowledgement is a 202',
    ...inBackground,
    async judge(t) {
      const { reply } = await acknowledged(t);
      const seen = `${reply.status}; no option is needed, the client takes any 2xx`;
      return passedIf(reply.status === 202, reply, '202', seen);
    },
  },
  'callback.arrives': {
    source: 'given 3',
    rule: 'The result is posted to the callback URL as JSON',
    ...inBackground,
    async judge(t) {
      const { reply } = await started(t);
      if (!(await arrived(t))) return failed(reply, `nothing within ${t.patienceMs / 1000} s`);
      const delivery = await delivered(t);
      const isJson = payloadOf(delivery) !== undefined;
      if (delivery.method === 'POST' && isJson) return passed(delivery, 'a POST with JSON');
      return failed(delivery, `${delivery.method} ${isJson ? 'with' : 'without'} JSON`);
    },
  },
  'callback.fields': {
    source: 'given 2.3',
    rule: 'The callback has requestId, result, model and usage.totalTokens',
    ...inBackground,
    after: ['callback.arrives'],
    async judge(t) {
      const delivery = await delivered(t);
      const payload = payloadOf(delivery);
      const { requestId } = (await acknowledged(t)).value;
      const isSurely = (value: unknown) => value === requestId;
      const { result, model, totalTokens } = wanted;
      const fields = [{ ...wanted.requestId, isSurely }, result, model, totalTokens];
      const { value, lines } = t.read('WebhookContent', payload, fields);
      if (value['error'] !== undefined) throw new NotObservable('a generation that succeeds');
      const missing = fields
        .filter(({ name, is }) => name !== 'requestId' && !is(at(value, name)))
        .map(({ name }) => name);
      if (missing.length > 0) return failed(delivery, `without ${missing.join(', ')}`);
      const words = learnStatus(t, 'completed', value);
      if (isText(requestId) && value['requestId'] !== requestId && Object.keys(lines).length === 0)
        return differs(delivery, `${isText(value['requestId']) ? 'another' : 'no'} requestId`);
      return unlessLines(delivery, 'all of them', { ...lines, ...words });
    },
  },
  'callback.signature': {
    source: 'given 5.8',
    rule: 'The callback carries X-Service-Signature, or a token, that the secret verifies',
    ...inBackground,
    after: ['callback.arrives'],
    async judge(t) {
      const secret = await signingSecret(t);
      const delivery = await delivered(t);
      const { headers, body } = delivery;
      const found = secret && (await findScheme({ headers, body, secret }));
      const looksSigned = headers.some(
        ([name, value]) => /signature|token|hmac/i.test(name) || digest.test(value),
      );
      if (!found && !looksSigned) return failed(delivery, 'neither a signature nor a token');
      if (secret === undefined) throw new NotObservable('the signing secret (--secret)');
      if (!found && /(^| )v1a,/.test(headerOf(headers, 'webhook-signature') ?? '')) {
        const line = t.learn({ scheme: { type: 'ed25519' } });
        return differs(delivery, 'ed25519; to verify it, pass the whpk_ key as --secret', line);
      }
      if (!found) return differs(delivery, 'no scheme of a file explains it; is the secret right?');
      const lines = asFound(found);
      const { type, encoding } = Object(lines.scheme);
      const secretKind = lines.secretEncoding && `with a ${lines.secretEncoding} secret`;
      if (type !== 'standard' || secretKind) {
        const seen = [type, encoding, secretKind].filter(Boolean).join(' ');
        return differs(delivery, seen, t.learn(lines));
      }
      const isNamed = headerOf(headers, 'x-service-signature') !== undefined;
      const seen = 'only in webhook-signature, which a receiver reads too; no option is needed';
      return passedIf(isNamed, delivery, 'Standard Webhooks', seen);
    },
  },
  'callback.tolerance': {
    rule: `The callback carries its time, within ${defaultToleranceS} s of this clock`,
    ...inBackground,
    after: ['callback.arrives'],
    async judge(t) {
      const delivery = await delivered(t);
      const time = sentAt(delivery.headers, t.found);
      if (time === null) throw new NotObservable('a signature scheme that sends a time');
      if (time === undefined)
        return absent(delivery, 'no time, so only the memory of a receiver stops a replay');
      const seconds = Math.round(time - delivery.at / 1000);
      const isNear = Math.abs(seconds) <= defaultToleranceS;
      const seen = Number.isNaN(seconds) ? 'not a time' : `${seconds} s apart`;
      return passedIf(isNear, delivery, `${Math.abs(seconds)} s apart`, seen);
    },
  },
};

/** Last: a repeat takes seconds, which the other clauses use. */
export const repeatRule: Rules = {
  'callback.repeat': {
    rule: 'A callback answered with 500 is posted again, with the same id and body',
    ...inBackground,
    after: ['callback.arrives'],
    async judge(t) {
      const first = await delivered(t);
      const isAgain = ({ mark, body }: ReceivedDelivery) =>
        mark === first.mark && body !== first.body;
      const again = await t.waitFor(isAgain, Math.max(t.patienceMs - (t.now() - first.at), 0));
      const late = `not within ${t.patienceMs / 1000} s; a callback that is lost stays lost`;
      if (!again) return absent(first, late);
      const [id, other] = [first, again].map((one) => headerOf(one.headers, 'webhook-id'));
      if (id !== other) return differs(first, 'the repeat has another webhook-id');
      if (textOf(first) !== textOf(again)) return differs(first, 'the repeat has another body');
      return passed(first, 'the same');
    },
  },
};
