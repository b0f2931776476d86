import type { Deployment } from '../../deployment.ts';
import { isText } from '../../option-rules.ts';
import { describeReply, isMissing, responds, succeeded } from './access.ts';
import { absent, differs, failed, passed, passedIf, type Rules } from './rule.ts';
import { type Evidence, isOk, NotObservable, prompt, type Reply, type Session } from './session.ts';
import { at, wanted } from './shapes.ts';

const otherPaths = ['/v1/generate', '/api/v1/ai/content/generate', '/api/ai/generate', '/generate'];
const otherPrompts = ['input', 'text', 'input.text', 'query', 'message'];

const isThere = (reply: Reply) =>
  !isMissing(reply) && reply.status > 0 && (reply.status < 300 || reply.status > 399);

/** An empty body costs nothing: it only shows whether the path exists. */
const emptyRequest = (t: Session) =>
  t.once('empty', () =>
    t.trying(
      (as) => t.send('generateContent', { body: {}, isInvalid: true, as }),
      isThere,
      () => [
        { baseUrl: t.base.endsWith('/v2') ? t.base.slice(0, -3) : `${t.base}/v2` },
        ...otherPaths.map((path) => ({ paths: { generateContent: path } })),
      ],
    ),
  );

const otherKeyHeaders = ({ knows }: Session): readonly string[] => [
  ...(typeof knows.idempotency === 'string' ? [knows.idempotency] : []),
  ...['X-Idempotency-Key', 'X-Request-Token', 'Idempotency-Token', 'X-Idempotency-Token'],
  ...['X-Client-Token', 'Request-Id', 'X-Request-Key'],
];

const keyIn = (t: Session, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, t.id]));

/** A generation under an idempotency key, in each header that might take it; later requests repeat it. */
const synchronous = (t: Session) =>
  t.once('synchronous', () => {
    const headers = keyIn(t, ['Idempotency-Key', ...otherKeyHeaders(t)]);
    const names = [t.knows.fields?.['prompt'] ?? [], otherPrompts].flat();
    const others = names.map((name) => ({ fields: { prompt: name } }));
    return t.trying(
      (as) => t.generate({ prompt }, { headers, as }),
      isOk,
      ({ status }) => (status < 500 && status !== 429 ? others : []),
    );
  });

/** What the synchronous generation returned, in our names. */
async function generated(t: Session) {
  const { reply } = await synchronous(t);
  const { requestId, result, model, totalTokens } = wanted;
  const status = { ...wanted.status, isOptional: true } as const;
  const fields = [requestId, result, model, totalTokens, status];
  const read = await t.once('generated', async () => t.read('generateContent', reply.body, fields));
  return { reply, ...read };
}

export async function generatedId(t: Session): Promise<string> {
  const { requestId } = (await generated(t)).value;
  if (!isText(requestId)) throw new NotObservable('a generation with an id');
  return requestId;
}

/** The word for a status, where it is not ours. */
export function learnStatus(t: Session, ours: string, value: unknown): Deployment {
  const theirs = at(value, 'status');
  if (!isText(theirs) || /^(processing|completed|failed|canceled)$/.test(theirs)) return {};
  return t.learn({ statuses: { [ours]: theirs } });
}

/** What the lines of a deployment put right. */
const describeLines = ({ wrap, fields, statuses }: Deployment): string =>
  [
    ...(wrap ? [`the body is in ${wrap}`] : []),
    ...Object.entries(fields ?? {}).map(([ours, theirs]) => `${ours} is in ${theirs}`),
    ...Object.entries(statuses ?? {}).map(([ours, theirs]) => `${ours} is called ${theirs}`),
    ...(statuses?.['completed'] ? ['add their word for failed by hand'] : []),
  ].join(', ');

/** Passed, or the lines that adapt. */
export function unlessLines(reply: Evidence, seen: string, lines: Deployment) {
  const isOurs = Object.keys(lines).length === 0;
  return isOurs ? passed(reply, seen) : differs(reply, describeLines(lines), lines);
}

/** What can be judged of a generation that was made. */
export const ofGeneration = { needs: ['spend'], after: ['generate.prompt'] } as const;

export const generationRules: Rules = {
  'generate.path': {
    source: 'given 4.1',
    rule: 'POST /api/ai/content/generate exists',
    after: ['credentials.accepted'],
    async judge(t) {
      const { reply, lines } = await emptyRequest(t);
      if (lines) {
        t.remember('usage');
        return differs(reply, `it is ${lines.baseUrl ?? lines.paths?.generateContent}`, lines);
      }
      if (isThere(reply)) return passed(reply, describeReply(reply));
      const advice = 'write it into paths.generateContent of a file and pass --deployment FILE';
      return failed(reply, `${describeReply(reply)}; if it has another path, ${advice}`);
    },
  },
  'errors.validation': {
    rule: 'A generation without a prompt is rejected with 422 and a pointer to the field',
    after: ['generate.path'],
    async judge(t) {
      const { reply } = await emptyRequest(t);
      const [first] = [at(reply.body, 'errors')].flat();
      const is422 = reply.status === 422;
      const seen = is422 ? '422 without a pointer' : describeReply(reply);
      const instead = `${seen}; the client's error says no more than the service`;
      return passedIf(is422 && isText(at(first, 'pointer')), reply, '422', instead);
    },
  },
  'generate.prompt': {
    source: 'given 4.1',
    rule: 'A generation takes a prompt',
    needs: ['spend'],
    after: ['generate.path'],
    async judge(t) {
      const { reply, lines } = await synchronous(t);
      if (reply.status === 429) throw new NotObservable('a key with quota left: 429');
      if (lines) return differs(reply, `the prompt is in ${lines.fields?.['prompt']}`, lines);
      return succeeded(reply);
    },
  },
  'generate.result': {
    rule: 'Without a callback URL, the response has requestId, result, model and usage',
    ...ofGeneration,
    async judge(t) {
      const { reply, value, lines } = await generated(t);
      const words = learnStatus(t, 'completed', value);
      const missing = ['requestId', 'result', 'model'].filter((name) => !isText(value[name]));
      const found = unlessLines(reply, 'all of them', { ...lines, ...words });
      if (missing.length === 0) return found;
      const also = found.adapt ? `; ${found.seen}` : '';
      return differs(reply, `without ${missing.join(', ')}${also}`, found.adapt);
    },
  },
  'generate.usage': {
    rule: 'The response says how many tokens were used',
    ...ofGeneration,
    async judge(t) {
      const { reply, value } = await generated(t);
      const total = at(value, 'usage.totalTokens');
      return Number.isSafeInteger(total) && (total as number) > 0
        ? passed(reply, `${total}`)
        : absent(reply, 'no usage.totalTokens');
    },
  },
  'idempotency.replay': {
    rule: 'A repeated request with the same Idempotency-Key returns the same generation',
    ...ofGeneration,
    async judge(t) {
      const id = await generatedId(t);
      const isRepeated = async (names: readonly string[]) => {
        const reply = await t.generate({ prompt }, { headers: keyIn(t, names) });
        const { requestId } = t.read('generateContent', reply.body, [wanted.requestId]).value;
        const isSame = requestId === id;
        if (isSame) t.remember('replayed', reply);
        return { reply, isSame };
      };
      const again = await isRepeated(['Idempotency-Key']);
      if (again.isSame) return passed(again.reply, 'the same id');
      // All others at once, then the half of them that contains it, until it is found.
      let names = otherKeyHeaders(t);
      const { isSame, reply } = await isRepeated(names);
      while (isSame && names.length > 1) {
        const half = names.slice(0, names.length / 2);
        names = (await isRepeated(half)).isSame ? half : names.slice(half.length);
      }
      const [name = ''] = names;
      if (isSame) return differs(reply, `the header is ${name}`, t.learn({ idempotency: name }));
      const seen = 'another generation, so a lost response is not repeated';
      return absent(again.reply, seen, t.learn({ idempotency: false }));
    },
  },
  'idempotency.header': {
    rule: 'A replayed response carries Idempotency-Replayed: true',
    ...ofGeneration,
    after: ['idempotency.replay'],
    async judge(t) {
      const { reply: first } = await synchronous(t);
      const reply = await t.once('replayed', async () => first);
      return reply.headers.get('idempotency-replayed') === 'true'
        ? passed(reply, 'true')
        : absent(reply, 'no such header');
    },
  },
  'idempotency.mismatch': {
    rule: 'Another request with the same key is rejected with 422',
    ...ofGeneration,
    after: ['idempotency.replay'],
    judge: responds(422, differs, (t) => {
      const headers = { [`${t.found.idempotency ?? 'Idempotency-Key'}`]: t.id };
      return t.generate({ prompt: `${prompt} Please.` }, { headers });
    }),
  },
};
