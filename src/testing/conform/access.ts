import type { OperationId } from '../../types.ts';
import { absent, differs, failed, passed, passedIf, type Rules } from './rule.ts';
import { isOk, NotObservable, type Reply, type Session } from './session.ts';
import { at } from './shapes.ts';

/** Statuses of an operation that does not exist. */
export const isMissing = ({ status }: Reply) => [404, 405, 501].includes(status);

export const describeReply = ({ status, headers, text, body }: Reply): string => {
  if (status === 0) return `no response (${text})`;
  if (status >= 300 && status < 400) {
    return `${status}, a redirect to ${headers.get('location') ?? 'elsewhere'}; use that as the base URL`;
  }
  const type = headers.get('content-type')?.split(';', 1)[0];
  const code = at(body, 'code');
  if (typeof code === 'string' && /^\w{1,64}$/.test(code)) return `${status} ${code}`;
  return type && !/json/.test(type) ? `${status} with ${type}` : `${status}`;
};

/** Without a key, which operation it is does not matter: the gateway rejects it first. */
const withoutKey = (t: Session) => t.once('missing', () => t.send('getUsage', { apiKey: null }));

const usage = (t: Session) => t.once('usage', () => t.send('getUsage'));

/** Passed or failed, with the status that says it. */
export const succeeded = (reply: Reply, isRight = isOk(reply)) =>
  (isRight ? passed : failed)(reply, describeReply(reply));

/** Passed with that status; otherwise it fails, or differs where the rule is ours. */
export const responds =
  (status: number, otherwise: typeof failed, request: (t: Session) => Promise<Reply>) =>
  async (t: Session) => {
    const reply = await request(t);
    return reply.status === status
      ? passed(reply, `${status}`)
      : otherwise(reply, `${describeReply(reply)} instead of ${status}`);
  };

/** The finding for a service that lacks the operation, and those that go with it. */
export const lacks = (t: Session, reply: Reply, ...operations: OperationId[]) =>
  isMissing(reply)
    ? absent(reply, `${operations[0]}: ${describeReply(reply)}`, t.learn({ absent: operations }))
    : undefined;

/** A read without an effect, sent once. */
export const peek = (t: Session, read: OperationId) =>
  t.once(read, () => t.send(read, { query: read.startsWith('list') ? '?limit=1' : '' }));

export const accessRules: Rules = {
  'credentials.missing': {
    source: 'given 5.4',
    rule: 'A request without credentials is rejected with 401',
    judge: responds(401, failed, withoutKey),
  },
  'credentials.invalid': {
    source: 'given 5.3',
    rule: 'A request with an invalid key is rejected with 401',
    judge: responds(401, failed, (t) =>
      t.send('getUsage', { apiKey: 'cg_test_conform-invalid-key' }),
    ),
  },
  'credentials.accepted': {
    source: 'given 5.2',
    rule: 'A valid key in X-API-Key is accepted',
    async judge(t) {
      const reply = await usage(t);
      const isAccepted = isOk(reply)
        ? reply.body !== undefined
        : [403, 429].includes(reply.status) || isMissing(reply);
      return succeeded(reply, isAccepted);
    },
  },
  'credentials.single': {
    rule: 'A request with a key and an access token is rejected',
    after: ['credentials.accepted'],
    judge: responds(401, differs, (t) =>
      t.send('getUsage', { headers: { authorization: 'Bearer conform.invalid.token' } }),
    ),
  },
  'errors.problem': {
    rule: 'An error is application/problem+json with a code and the id of the request',
    after: ['credentials.missing'],
    async judge(t) {
      const reply = await withoutKey(t);
      const { code, requestId } = Object(reply.body);
      const [type] = (reply.headers.get('content-type') ?? 'no content-type').split(';', 1);
      const missing = [
        type !== 'application/problem+json' && type,
        typeof code !== 'string' && 'no code',
        typeof requestId !== 'string' && 'no requestId',
      ].filter(Boolean);
      const seen = `${missing.join(', ')}; errors have their status, but their code is http_401`;
      return passedIf(missing.length === 0, reply, 'a problem document', seen);
    },
  },
  'usage.get': {
    rule: 'GET /api/usage returns what was used, and the quota',
    after: ['credentials.accepted'],
    async judge(t) {
      const reply = await usage(t);
      const lacking = lacks(t, reply, 'getUsage');
      if (lacking) return lacking;
      if (!isOk(reply)) throw new NotObservable(`a key that may read the usage: ${reply.status}`);
      const numbers = ['used', 'quota', 'remaining', 'requests'];
      const { value, lines } = t.read('getUsage', reply.body, [], numbers);
      const missing = numbers.filter((name) => typeof value[name] !== 'number');
      if (missing.length > 0) return differs(reply, `without ${missing.join(', ')}`);
      if (!lines.wrap) return passed(reply, 'used, quota, remaining and requests');
      return differs(reply, `bodies are in ${lines.wrap}`, lines);
    },
  },
  'rate.headers': {
    rule: 'RateLimit and RateLimit-Policy say how many requests are left',
    after: ['credentials.accepted'],
    async judge(t) {
      const reply = await usage(t);
      const names = [...reply.headers.keys()].filter((name) => /rate-?limit/.test(name));
      if (['ratelimit', 'ratelimit-policy'].every((name) => names.includes(name)))
        return passed(reply, names.join(', '));
      if (names.length > 0) return differs(reply, `${names.join(', ')} instead`);
      return absent(reply, 'no header says it; the client waits only after a 429');
    },
  },
};
