import { isText } from '../../options/values.ts';
import { counts, usage, withoutKey } from './requests.ts';
import { isOk, NotObservable } from './session.ts';
import * as verdicts from './verdicts.ts';

const { absent, describeReply, hasStatus, lacks, passedIf, unlessLines, wrong } = verdicts;

export const accessRules: verdicts.Rules = {
  'credentials.missing': {
    source: 'given 5.4',
    rule: 'A request without credentials is rejected with 401',
    request: withoutKey,
    judge: hasStatus(401),
  },
  'credentials.accepted': {
    source: 'given 5.2',
    rule: 'A valid key in X-API-Key is accepted',
    request: usage,
    judge(reply) {
      const isOther = [403, 429].includes(reply.status) || verdicts.isMissing(reply);
      const isAccepted = isOk(reply) ? reply.body !== undefined : isOther;
      return passedIf(isAccepted, describeReply(reply), describeReply(reply));
    },
  },
  'usage.get': {
    rule: 'GET /api/usage returns what was used, and the quota',
    after: ['credentials.accepted'],
    request: usage,
    judge(reply, t) {
      const lacking = lacks(t, reply, 'getUsage');
      if (lacking) return lacking;
      if (!isOk(reply)) throw new NotObservable(`a key that may read the usage: ${reply.status}`);
      const missing = verdicts.missingFrom(reply.value, counts);
      if (missing) return wrong(missing);
      return unlessLines('all of them', { ...reply.moved, ...reply.lines });
    },
  },
  'credentials.invalid': {
    source: 'given 5.3',
    rule: 'A request with an invalid key is rejected with 401',
    request: (t) => t.send('getUsage', { apiKey: 'cg_test_conform-invalid-key' }),
    judge: hasStatus(401),
  },
  'credentials.single': {
    rule: 'A request with a key and an access token is rejected',
    after: ['credentials.accepted'],
    request: (t) =>
      t.send('getUsage', { headers: { authorization: 'Bearer conform.invalid.token' } }),
    judge: hasStatus(401),
  },
  'errors.problem': {
    rule: 'An error is application/problem+json with a code and the id of the request',
    after: ['credentials.missing'],
    request: withoutKey,
    judge(reply) {
      const type = verdicts.mediaType(reply) ?? 'no content-type';
      const { code, requestId } = Object(reply.body);
      const others = [
        ...(type === 'application/problem+json' ? [] : [type]),
        ...(isText(code) ? [] : ['no code']),
        ...(isText(requestId) ? [] : ['no requestId']),
      ];
      const seen = `${others.join(', ')}; errors have their status, but their code is http_401`;
      return passedIf(others.length === 0, 'a problem document', seen);
    },
  },
  'rate.headers': {
    rule: 'RateLimit and RateLimit-Policy say how many requests are left',
    after: ['credentials.accepted'],
    request: usage,
    judge({ headers }) {
      const names = [...headers.keys()].filter((name) => /rate-?limit/.test(name));
      if (names.length === 0) return absent('no header says it; the client waits only after a 429');
      const isOurs = ['ratelimit', 'ratelimit-policy'].every((name) => names.includes(name));
      return passedIf(isOurs, names.join(', '), `${names.join(', ')} instead`);
    },
  },
};
