import { toOurs } from '../../deployment-names.ts';
import { isText } from '../../option-rules.ts';
import { createEventParser } from '../../server-sent-events.ts';
import { describeReply, lacks, peek } from './access.ts';
import { inBackground, receiverUrl } from './callbacks.ts';
import { generatedId, learnStatus, ofGeneration, unlessLines } from './generation.ts';
import { absent, differs, passedIf, type Rules } from './rule.ts';
import { isOk, NotObservable, prompt, type Reply, type Session } from './session.ts';
import { parseJson, wanted } from './shapes.ts';

/** The events of a stream in our names; `undefined` if it is none. */
function eventsOf(t: Session, reply: Reply) {
  const type = reply.headers.get('content-type') ?? '';
  if (!isOk(reply) || !/^text\/event-stream/i.test(type)) return undefined;
  return createEventParser()(reply.text).map(({ event, data }) => ({
    event,
    data: Object(toOurs(t.found, 'generateContent', parseJson(data))) as Record<string, unknown>,
  }));
}

const asStream = { accept: 'text/event-stream' };
const streamed = (t: Session) =>
  t.once('streamed', () => t.generate({ prompt, stream: true }, { headers: asStream }));

async function processingId(t: Session): Promise<string> {
  const { body } = await t.generate({ prompt, webhookUrl: receiverUrl(t, 'canceled') });
  const { requestId } = t.read('generateContent', body, [wanted.requestId]).value;
  if (!isText(requestId)) throw new NotObservable('an id to cancel');
  return requestId;
}

/** What reads generations again: after everything that makes some. */
export const readingRules: Rules = {
  'poll.get': {
    rule: 'A generation can be read by its id',
    ...ofGeneration,
    async judge(t) {
      const id = await generatedId(t);
      const reply = await t.send('getGeneration', { params: [id] });
      const lacking = lacks(t, reply, 'getGeneration');
      if (lacking) return lacking;
      const { requestId } = t.read('getGeneration', reply.body, [wanted.requestId]).value;
      const seen = isOk(reply) ? 'another id' : describeReply(reply);
      return passedIf(isOk(reply) && requestId === id, reply, 'the same id', seen);
    },
  },
  'stream.events': {
    rule: 'With stream: true, the text comes in deltas and ends with the whole generation',
    needs: ['spend'],
    after: ['generate.result'],
    async judge(t) {
      const reply = await streamed(t);
      const events = eventsOf(t, reply);
      if (!events) return absent(reply, `no stream: ${describeReply(reply)}`);
      const text = events.map(({ data }) => (isText(data['delta']) ? data['delta'] : '')).join('');
      const last = events.at(-1);
      const isOurs = last?.event === 'generation.completed' && last.data['result'] === text;
      const names = [...new Set(events.map(({ event }) => event || 'message'))].join(', ');
      const seen = `${names || 'no event'}; the deltas or their end are not ours`;
      return passedIf(isOurs, reply, `${events.length} events`, seen);
    },
  },
  'stream.resume': {
    rule: 'The stream of a generation can be resumed after an event',
    needs: ['spend'],
    after: ['stream.events', 'poll.get'],
    async judge(t) {
      const first = eventsOf(t, await streamed(t))?.[0];
      const id = first?.data['requestId'];
      if (!isText(id)) throw new NotObservable('a stream whose first event has the id');
      const headers = { ...asStream, 'last-event-id': '1' };
      const reply = await t.send('getGeneration', { params: [id], headers });
      const events = eventsOf(t, reply);
      if (!events) return absent(reply, `no stream: ${describeReply(reply)}`);
      const ids = [...reply.text.matchAll(/^id: ?(\d+)/gm)].map(([, number]) => Number(number));
      const ends = events.at(-1)?.event === 'generation.completed';
      const isRest = ends && ids.length > 0 && ids.every((number) => number > 1);
      const seen = ends ? 'it begins again' : 'it does not end with the generation';
      return passedIf(isRest, reply, `from event ${ids[0]}`, seen);
    },
  },
  'cancel.processing': {
    rule: 'A generation that is processing can be canceled',
    ...inBackground,
    async judge(t) {
      // A service that cannot be polled seldom cancels: asking for the finished one costs nothing.
      const isPolled = !t.found.absent?.includes('getGeneration');
      const id = await (isPolled ? processingId(t) : generatedId(t));
      const reply = await t.send('cancelGeneration', { params: [id] });
      const lacking = lacks(t, reply, 'cancelGeneration');
      if (lacking) return lacking;
      if (reply.status === 409) throw new NotObservable('a generation that takes longer');
      if (!isOk(reply)) return differs(reply, describeReply(reply));
      const { value } = t.read('cancelGeneration', reply.body, []);
      const words = learnStatus(t, 'canceled', value);
      const isOurs = words.statuses || value['status'] === 'canceled';
      if (!isOurs) return differs(reply, `the status is ${value['status']}`);
      return unlessLines(reply, 'canceled', words);
    },
  },
  'list.page': {
    rule: 'GET on the generate path lists generations as data, and keeps to the limit',
    after: ['credentials.accepted'],
    // What generates: the list then has rows, and no new one comes between its pages.
    waitsFor: ['idempotency.mismatch', 'stream.events', 'cancel.processing'],
    async judge(t) {
      // Without a generation, what else depends on the list can only be guessed.
      const also = t.options.spend === 0 ? (['getGeneration', 'cancelGeneration'] as const) : [];
      const reply = await peek(t, 'listGenerations');
      const lacking = lacks(t, reply, 'listGenerations', ...also);
      if (lacking) return lacking;
      const { value, lines } = t.read('listGenerations', reply.body, [wanted.data]);
      const { data } = value;
      if (!Array.isArray(data)) return differs(reply, `no list: ${describeReply(reply)}`);
      if (data.length > 1) return differs(reply, `limit=1 returned ${data.length} rows`);
      return unlessLines(reply, 'a page', lines);
    },
  },
  'list.cursor': {
    rule: 'nextCursor leads to the next page, without a row of the first one',
    after: ['list.page'],
    async judge(t) {
      const reply = await peek(t, 'listGenerations');
      const fields = [wanted.data, wanted.nextCursor];
      const { value, lines } = t.read('listGenerations', reply.body, fields);
      const { nextCursor } = value;
      if (!isText(nextCursor)) {
        if (t.generations < 2) throw new NotObservable('two generations in the list');
        return differs(reply, 'no nextCursor, so only the first page can be read');
      }
      const query = `?limit=1&cursor=${encodeURIComponent(nextCursor)}`;
      const next = await t.send('listGenerations', { query });
      const second = t.read('listGenerations', next.body, [wanted.data]).value;
      const rows = [value, second].map((page) => JSON.stringify([page['data']].flat()[0]));
      if (!isOk(next) || rows[1] === undefined) return differs(next, describeReply(next));
      if (rows[0] === rows[1]) return differs(next, 'the next page repeats the row');
      return unlessLines(next, 'another row', lines);
    },
  },
};
