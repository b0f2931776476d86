import type { Deployment } from '../../deployment.ts';
import { defaultToleranceS } from '../../webhooks/settings.ts';
import { describeReply, peek } from './access.ts';
import { digest, findScheme, sentAt } from './find-scheme.ts';
import { learnStatus, unlessLines } from './generation.ts';
import type { ReceivedDelivery } from './receiver.ts';
import { absent, differs, failed, passed, passedIf, type Rule } from './rule.ts';
import { isOk, NotObservable, parseJson, prompt, type Reply, type Session } from './session.ts';
import { at, isText, wanted } from './shapes.ts';

const otherFields = [
  ...['callbackUrl', 'callback_url', 'webhook_url', 'callback', 'webhook', 'url', 'notifyUrl'],
  ...['notificationUrl', 'notification_url', 'callbackURL', 'webhookURL', 'hook', 'hookUrl'],
];

/** The receiver's URL, which says what is posted there. */
export function receiverUrl({ options }: Session, mark: string): string {
  const url = new URL(options.receiver?.url as string);
  url.searchParams.set('conform', mark);
  return url.href;
}

interface Started {
  readonly reply: Reply;
  readonly mark: string;
  /** The name of the callback field, if it is another one. */
  readonly field?: string;
}

const isAcknowledgement = (session: Session, reply: Reply) =>
  isOk(reply) &&
  reply.body !== undefined &&
  !isText(at(session.read('generateContent', reply.body, []).value, 'result'));

/** A generation in the background; searches the field that takes the callback URL. */
const started = (session: Session) =>
  session.once('started', async (): Promise<Started> => {
    const webhookUrl = receiverUrl(session, 'webhookUrl');
    const reply = await session.generate({ prompt, webhookUrl });
    if (isAcknowledgement(session, reply)) return { reply, mark: 'webhookUrl' };
    const isRefused = !isOk(reply) && /webhookUrl/.test(reply.text) && !/unknown/.test(reply.text);
    if (isRefused) throw new NotObservable(`a --receiver-url that the service accepts`);
    const { webhookUrlField: hint } = session.knows;
    const names = [...new Set([...(hint ? [hint] : []), ...otherFields])];
    const urls = Object.fromEntries(names.map((name) => [name, receiverUrl(session, name)]));
    // All of them at once: the URL that is called says which one it was.
    const all = await session.generate({ prompt, ...urls }, { isInvalid: true });
    if (isAcknowledgement(session, all)) {
      const delivery = await session.waitFor(({ mark }) => names.includes(`${mark}`));
      if (delivery) return { reply: all, mark: `${delivery.mark}`, field: `${delivery.mark}` };
    }
    for (const name of isOk(all) ? [] : names) {
      const body = { prompt, webhookUrl: receiverUrl(session, name) };
      const one = await session.generate(body, { as: { webhookUrlField: name } });
      if (isAcknowledgement(session, one)) return { reply: one, mark: name, field: name };
    }
    return { reply, mark: '' };
  });

const acknowledged = (session: Session) =>
  session.once('acknowledged', async () => {
    const { reply, mark } = await started(session);
    const fields = [wanted.status, wanted.requestId];
    return { reply, mark, ...session.read('generateContent', reply.body, fields) };
  });

/** The lines of one field, and the wrapper, which is named with the first. */
function linesOf({ wrap, fields = {} }: Deployment, name: string): Deployment {
  const theirs = fields[name];
  return {
    ...(wrap && name === 'status' && { wrap }),
    ...(theirs !== undefined && { fields: { [name]: theirs } }),
  };
}

const arrived = (session: Session) =>
  session.once('arrived', async () => {
    const { mark } = await acknowledged(session);
    return session.waitFor((delivery) => delivery.mark === mark);
  });

async function delivered(session: Session) {
  const delivery = await arrived(session);
  if (!delivery) throw new NotObservable('a callback');
  return { ...delivery, ...session.show(delivery) };
}

const textOf = ({ body }: ReceivedDelivery) => new TextDecoder().decode(body);
export const payloadOf = (delivery: ReceivedDelivery) => parseJson(textOf(delivery));
const headerOf = ({ headers }: Pick<ReceivedDelivery, 'headers'>, name: string) =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

/** The secret of result callbacks: the given one, or what the service returns. */
async function signingSecret(session: Session): Promise<string | undefined> {
  if (session.options.secret !== undefined) return session.options.secret;
  const reply = await peek(session, 'getSigningSecret');
  const { secret } = session.read('getSigningSecret', reply.body, [wanted.secret]).value;
  session.keepSecret(secret);
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

export const callbackRules: readonly Rule[] = [
  {
    id: 'generate.webhook-url',
    source: 'given 4.1',
    rule: 'With webhookUrl, the generation runs in the background',
    ...inBackground,
    after: ['generate.prompt'],
    async judge(session) {
      const { reply, mark, field } = await started(session);
      if (mark === '') return failed(reply, `no field took the URL: ${describeReply(reply)}`);
      if (field === undefined) return passed(reply, describeReply(reply));
      const lines = session.learn({ webhookUrlField: field });
      return differs(reply, `the field is ${field}`, lines);
    },
  },
  {
    id: 'acknowledgement.status',
    source: 'given 2.2',
    rule: 'The acknowledgement has the status processing',
    ...inBackground,
    async judge(session) {
      const { reply, value, lines } = await acknowledged(session);
      if (!isText(value['status'])) return failed(reply, 'no status');
      const all = { ...linesOf(lines, 'status'), ...learnStatus(session, 'processing', value) };
      if (/^(completed|failed|canceled)$/.test(value['status']))
        return failed(reply, value['status']);
      return unlessLines(reply, value['status'], all);
    },
  },
  {
    id: 'acknowledgement.request-id',
    source: 'given 2.2',
    rule: 'The acknowledgement has the requestId',
    ...inBackground,
    async judge(session) {
      const { reply, value, lines } = await acknowledged(session);
      if (!isText(value['requestId'])) return failed(reply, 'no id');
      return unlessLines(reply, 'an id', linesOf(lines, 'requestId'));
    },
  },
  {
    id: 'acknowledgement.code',
    rule: 'The acknowledgement is a 202',
    ...inBackground,
    async judge(session) {
      const { reply } = await acknowledged(session);
      const seen = `${reply.status}; no option is needed, the client takes any 2xx`;
      return passedIf(reply.status === 202, reply, '202', seen);
    },
  },
  {
    id: 'callback.arrives',
    source: 'given 3',
    rule: 'The result is posted to the callback URL as JSON',
    ...inBackground,
    async judge(session) {
      const { reply } = await started(session);
      if (!(await arrived(session)))
        return failed(reply, `nothing within ${session.patienceMs / 1000} s`);
      const delivery = await delivered(session);
      const isJson = payloadOf(delivery) !== undefined;
      if (delivery.method === 'POST' && isJson) return passed(delivery, 'a POST with JSON');
      return failed(delivery, `${delivery.method} ${isJson ? 'with' : 'without'} JSON`);
    },
  },
  {
    id: 'callback.fields',
    source: 'given 2.3',
    rule: 'The callback has requestId, result, model and usage.totalTokens',
    ...inBackground,
    after: ['callback.arrives'],
    async judge(session) {
      const delivery = await delivered(session);
      const payload = payloadOf(delivery);
      const { requestId } = (await acknowledged(session)).value;
      const isSurely = (value: unknown) => value === requestId;
      const { result, model, totalTokens } = wanted;
      const fields = [{ ...wanted.requestId, isSurely }, result, model, totalTokens];
      const { value, lines } = session.read('WebhookContent', payload, fields);
      if (value['error'] !== undefined) throw new NotObservable('a generation that succeeds');
      const missing = fields
        .filter(({ name, is }) => name !== 'requestId' && !is(at(value, name)))
        .map(({ name }) => name);
      if (missing.length > 0) return failed(delivery, `without ${missing.join(', ')}`);
      const words = learnStatus(session, 'completed', value);
      if (isText(requestId) && value['requestId'] !== requestId && Object.keys(lines).length === 0)
        return differs(delivery, `${isText(value['requestId']) ? 'another' : 'no'} requestId`);
      return unlessLines(delivery, 'all of them', { ...lines, ...words });
    },
  },
  {
    id: 'callback.signature',
    source: 'given 5.8',
    rule: 'The callback carries X-Service-Signature, or a token, that the secret verifies',
    ...inBackground,
    after: ['callback.arrives'],
    async judge(session) {
      const secret = await signingSecret(session);
      const delivery = await delivered(session);
      const { headers, body } = delivery;
      const found = secret === undefined ? undefined : await findScheme({ headers, body, secret });
      const looksSigned = headers.some(
        ([name, value]) => /signature|token|hmac/i.test(name) || digest.test(value),
      );
      if (!found && !looksSigned) return failed(delivery, 'neither a signature nor a token');
      if (secret === undefined) throw new NotObservable('the signing secret (--secret)');
      const lines = found && asFound(found);
      const { type, encoding } = Object(lines?.scheme);
      const isOurs = type === 'standard' && !lines?.secretEncoding;
      const hasHeader = headers.some(([name]) => name.toLowerCase() === 'x-service-signature');
      if (!lines && /(^| )v1a,/.test(headerOf({ headers }, 'webhook-signature') ?? '')) {
        const line = session.learn({ scheme: { type: 'ed25519' } });
        return differs(delivery, 'ed25519; to verify it, pass the whpk_ key as --secret', line);
      }
      if (!lines) return differs(delivery, 'no scheme of a file explains it; is the secret right?');
      if (!isOurs) {
        const secretKind = lines.secretEncoding && `with a ${lines.secretEncoding} secret`;
        const seen = [type, encoding, secretKind].filter(Boolean).join(' ');
        return differs(delivery, seen, session.learn(lines));
      }
      const seen = 'only in webhook-signature, which a receiver reads too; no option is needed';
      return passedIf(hasHeader, delivery, 'Standard Webhooks', seen);
    },
  },
  {
    id: 'callback.tolerance',
    rule: `The callback carries its time, within ${defaultToleranceS} s of this clock`,
    ...inBackground,
    after: ['callback.arrives'],
    async judge(session) {
      const delivery = await delivered(session);
      const time = sentAt(delivery.headers, session.found);
      if (time === null) throw new NotObservable('a signature scheme that sends a time');
      if (time === undefined)
        return absent(delivery, 'no time, so only the memory of a receiver stops a replay');
      const seconds = Math.round(time - delivery.at / 1000);
      const isNear = Math.abs(seconds) <= defaultToleranceS;
      const seen = Number.isNaN(seconds) ? 'not a time' : `${seconds} s apart`;
      return passedIf(isNear, delivery, `${Math.abs(seconds)} s apart`, seen);
    },
  },
];

/** Last: a repeat takes seconds, which the other clauses use. */
export const repeatRule: Rule = {
  id: 'callback.repeat',
  rule: 'A callback answered with 500 is posted again, with the same id and body',
  ...inBackground,
  after: ['callback.arrives'],
  async judge(session) {
    const first = await delivered(session);
    const left = session.patienceMs - (session.now() - first.at);
    const again = await session.waitFor(
      (one) => one.mark === first.mark && one.body !== first.body,
      Math.max(left, 0),
    );
    if (!again) {
      const seen = `not within ${session.patienceMs / 1000} s; a callback that is lost stays lost`;
      return absent(first, seen);
    }
    const [id, other] = [first, again].map((one) => headerOf(one, 'webhook-id'));
    if (id !== other) return differs(first, 'the repeat has another webhook-id');
    if (textOf(first) !== textOf(again)) return differs(first, 'the repeat has another body');
    return passed(first, 'the same');
  },
};
