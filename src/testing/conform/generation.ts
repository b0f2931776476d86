import type { DeploymentJson } from '../../deployment-port.ts';
import { isText } from '../../options/values.ts';
import { createEventParser } from '../../server-sent-events.ts';
import * as requests from './requests.ts';
import { isOk, NotObservable, namesIn, type Reply, type Session } from './session.ts';
import { at, parseJson, wanted } from './shapes.ts';
import * as verdicts from './verdicts.ts';

const { absent, describeReply, differs, lacks, passed, passedIf, unlessLines, wrong } = verdicts;

/** The word for a status, where it is not ours. */
export function learnStatus(t: Session, ours: string, { status }: Reply['value']): DeploymentJson {
  if (!isText(status) || /^(processing|completed|failed|canceled)$/.test(status)) return {};
  return t.learn({ statuses: { [ours]: status } });
}

/** The events of a stream in our names; `undefined` if it is not one. */
function eventsOf(t: Session, reply: Reply) {
  const type = reply.headers.get('content-type') ?? '';
  if (!isOk(reply) || !/^text\/event-stream/i.test(type)) return undefined;
  return createEventParser()(reply.text).map(({ event, id, data }) => {
    const value = namesIn(t.found).toOurs.streamEvent(
      event.replace(/^generation\./, ''),
      parseJson(data),
    );
    return { event, id: Number(id), data: Object(value) as Readonly<Record<string, unknown>> };
  });
}

/** What can be judged of a generation that was made. */
const ofGeneration = { needs: ['spend'], after: ['generate.prompt'] } as const;

export const generationRules: verdicts.Rules = {
  'generate.path': {
    source: 'given 4.1',
    rule: 'POST /api/ai/content/generate exists',
    after: ['credentials.accepted'],
    request: requests.emptyRequest,
    judge(reply) {
      const { moved } = reply;
      const seen = describeReply(reply);
      if (moved) return differs(`it is ${moved.baseUrl ?? moved.paths?.generateContent}`, moved);
      const advice = 'write it into paths.generateContent of a file and pass --deployment FILE';
      const instead = `${seen}; if it has another path, ${advice}`;
      return passedIf(requests.isThere(reply), seen, instead);
    },
  },
  'errors.validation': {
    rule: 'A generation without a prompt is rejected with 422 and a pointer to the field',
    after: ['generate.path'],
    request: requests.emptyRequest,
    judge(reply) {
      const [first] = [at(reply.body, 'errors')].flat();
      const isRight = reply.status === 422 && isText(at(first, 'pointer'));
      const seen = reply.status === 422 ? '422 without a pointer' : describeReply(reply);
      return passedIf(isRight, '422', `${seen}; the client's error says no more than the service`);
    },
  },
  'generate.prompt': {
    source: 'given 4.1',
    rule: 'A generation takes a prompt',
    needs: ['spend'],
    after: ['generate.path'],
    request: requests.generation,
    judge(reply) {
      if (reply.status === 429) throw new NotObservable('a key with quota left: 429');
      return verdicts.accepted(reply, `the prompt is in ${reply.moved?.fields?.['prompt']}`);
    },
  },
  'generate.result': {
    rule: 'Without a callback URL, the response has requestId, result, model and usage',
    ...ofGeneration,
    request: requests.generation,
    judge({ value, lines }, t) {
      const found = unlessLines('all of them', { ...lines, ...learnStatus(t, 'completed', value) });
      const missing = verdicts.missingFrom(value, [wanted.requestId, wanted.result, wanted.model]);
      if (!missing) return found;
      const also = found.verdict === 'differs' ? `; ${found.seen}` : '';
      return differs(missing + also, found.lines);
    },
  },
  'generate.usage': {
    rule: 'The response says how many tokens were used',
    ...ofGeneration,
    request: requests.generation,
    judge({ value }) {
      const missing = verdicts.missingFrom(value, [wanted.totalTokens]);
      return missing ? absent(missing) : passed(`${at(value, wanted.totalTokens.name)}`);
    },
  },
  'idempotency.replay': {
    rule: 'A repeated request with the same Idempotency-Key returns the same generation',
    ...ofGeneration,
    request: requests.replay,
    judge(reply) {
      const { moved } = reply;
      if (moved?.idempotency === false) {
        const seen = 'another generation, so a lost response is not repeated';
        return absent(seen, moved);
      }
      return verdicts.accepted(reply, `the header is ${moved?.idempotency}`);
    },
  },
  'idempotency.header': {
    rule: 'A replayed response carries Idempotency-Replayed: true',
    ...ofGeneration,
    after: ['idempotency.replay'],
    request: requests.replay,
    judge: ({ headers }) =>
      headers.get('idempotency-replayed') === 'true' ? passed('true') : absent('no such header'),
  },
  'idempotency.mismatch': {
    rule: 'Another request with the same key is rejected with 422',
    ...ofGeneration,
    after: ['idempotency.replay'],
    request: requests.mismatch,
    judge: verdicts.hasStatus(422),
  },
  'stream.events': {
    rule: 'With stream: true, the text comes in deltas and ends with the whole generation',
    needs: ['spend'],
    after: ['generate.result'],
    request: requests.stream,
    judge(reply, t) {
      const events = eventsOf(t, reply);
      if (!events) return absent(`no stream: ${describeReply(reply)}`);
      const deltas = events.map(({ data }) => data['delta']).filter(isText);
      const last = events.at(-1);
      const isEnd = last?.event === 'generation.completed';
      const isOurs = isEnd && last.data['result'] === deltas.join('');
      const names = [...new Set(events.map(({ event }) => event || 'message'))].join(', ');
      const seen = `${names || 'no event'}; the deltas or their end are not ours`;
      return passedIf(isOurs, `${events.length} events`, seen);
    },
  },
  'stream.resume': {
    rule: 'The stream of a generation can be resumed after an event',
    needs: ['spend'],
    after: ['stream.events', 'poll.get'],
    async request(t) {
      const id = eventsOf(t, await requests.stream(t))?.[0]?.data['requestId'];
      if (!isText(id)) throw new NotObservable('a stream whose first event has the id');
      return requests.resumeAfter(t, id, '1');
    },
    judge(reply, t) {
      const events = eventsOf(t, reply);
      if (!events) return absent(`no stream: ${describeReply(reply)}`);
      const isComplete = events.at(-1)?.event === 'generation.completed';
      const isRest = isComplete && events.every((event) => event.id > 1);
      const seen = isComplete ? 'it begins again' : 'it does not end with the generation';
      return passedIf(isRest, `from event ${events[0]?.id}`, seen);
    },
  },
  'poll.get': {
    rule: 'A generation can be read by its id',
    ...ofGeneration,
    request: async (t) => t.send('getGeneration', { id: await requests.generatedId(t) }),
    async judge(reply, t) {
      const lacking = lacks(t, reply, 'getGeneration');
      if (lacking) return lacking;
      const isSame = reply.value['requestId'] === (await requests.generatedId(t));
      return passedIf(isSame, 'the same id', isOk(reply) ? 'another id' : describeReply(reply));
    },
  },
  'cancel.processing': {
    rule: 'A generation that is processing can be canceled',
    needs: ['receiver', 'spend'],
    after: ['generate.webhook-url'],
    async request(t) {
      // A service that cannot be polled seldom cancels: asking for the finished one costs nothing.
      const isPolled = !t.found.absent?.includes('getGeneration');
      const id = await (isPolled ? requests.processingId(t) : requests.generatedId(t));
      return t.send('cancelGeneration', { id });
    },
    judge(reply, t) {
      const lacking = lacks(t, reply, 'cancelGeneration');
      if (lacking) return lacking;
      if (reply.status === 409) throw new NotObservable('a generation that takes longer');
      if (!isOk(reply)) return wrong(describeReply(reply));
      const lines = learnStatus(t, 'canceled', reply.value);
      const { status } = reply.value;
      if (!lines.statuses && status !== 'canceled') return wrong(`the status is ${status}`);
      return unlessLines('canceled', lines);
    },
  },
  'list.page': {
    rule: 'GET on the generate path lists generations as data, and keeps to the limit',
    after: ['credentials.accepted'],
    // What generates: the list then has rows, and no new one comes between its pages.
    waitsFor: ['idempotency.mismatch', 'stream.events', 'cancel.processing'],
    request: requests.page,
    judge(reply, t) {
      // Without a generation, what else depends on the list can only be guessed.
      const also = t.options.spend === 0 ? (['getGeneration', 'cancelGeneration'] as const) : [];
      const lacking = lacks(t, reply, 'listGenerations', ...also);
      if (lacking) return lacking;
      const { data } = reply.value;
      if (!Array.isArray(data)) return wrong(`no list: ${describeReply(reply)}`);
      if (data.length > 1) return wrong(`limit=1 returned ${data.length} rows`);
      return unlessLines('a page', reply.lines);
    },
  },
  'list.cursor': {
    rule: 'nextCursor leads to the next page, without a row of the first one',
    after: ['list.page'],
    request: requests.page,
    async judge(reply, t) {
      if (!isOk(reply)) return wrong(describeReply(reply));
      const { body } = reply;
      const fields = [wanted.data, wanted.nextCursor];
      const { value, lines } = t.read('listGenerations', body, fields);
      const { nextCursor } = value;
      if (!isText(nextCursor)) {
        if (t.generations < 2) throw new NotObservable('two generations in the list');
        return wrong('no nextCursor, so only the first page can be read');
      }
      const query = `?limit=1&cursor=${encodeURIComponent(nextCursor)}`;
      const next = await t.send('listGenerations', { query });
      const rows = [value, next.value].map(({ data }) => JSON.stringify([data].flat()[0]));
      if (!isOk(next) || rows[1] === undefined) return wrong(describeReply(next), {}, next);
      if (rows[0] === rows[1]) return wrong('the next page repeats the row', {}, next);
      return unlessLines('another row', lines, next);
    },
  },
};
