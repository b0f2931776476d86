import type { DeploymentJson, ToOurs, ToTheirs } from '../deployment-port.ts';
import {
  bodies,
  callbacks,
  generationStatuses,
  payloads,
  streamEvents,
} from '../generated/names.ts';
import { isObject } from '../options/values.ts';
import type { OperationId } from '../types.ts';
import { callbackSchemas, type NamesOf, payloadSchemas } from './names.ts';
import { valueAt } from './paths.ts';
import { bestSchema, type Direction, translate } from './translate.ts';

export function bodyTranslation(
  json: DeploymentJson,
  namesOf: NamesOf,
  has: (what: string) => boolean,
): {
  toTheirs: Omit<ToTheirs, 'problem'>;
  toOurs: Omit<ToOurs, 'problem'>;
  requestField: (name: string) => string;
} {
  const { wrap } = json;
  const statuses = dictionary(generationStatuses, json.statuses);
  const types = [...Object.keys(payloads), ...Object.keys(callbacks)];
  const events = dictionary(types, json.eventNames);
  const outward: Direction = {
    namesOf,
    from: 'ours',
    to: 'theirs',
    value: (kind, value) => (kind === '=id' ? value : dictionaryOf(kind).theirs(value as string)),
  };
  const inward: Direction = {
    namesOf,
    from: 'theirs',
    to: 'ours',
    value: (kind, value) => {
      if (kind === '=id') return typeof value === 'number' ? `${value}` : value;
      return dictionaryOf(kind).ours(value as string);
    },
  };
  const dictionaryOf = (kind: string) => (kind === '=status' ? statuses : events);
  const wrapped = (body: object) => (wrap === undefined ? body : { [wrap]: body });
  const unwrapped = (body: unknown): unknown => {
    const inner = wrap === undefined ? undefined : valueAt(body, [wrap]);
    return isObject(inner) ? inner : body;
  };
  const requestOf = (operation: OperationId) => bodies[operation].request;
  const hasStream = has('stream');

  /** The schema of a payload: of a system event by its name, of a callback by its fields. */
  function payloadSchema(direction: Direction, payload: unknown): string | undefined {
    const isOurs = direction.from === 'ours';
    const event = payloadSchemas.find(([type, schema]) => {
      const { renamings } = namesOf(schema);
      const moved = renamings.find(({ ours }) => ours.join() === 'event');
      const sent = valueAt(payload, isOurs ? ['event'] : (moved?.theirs ?? ['event']));
      return (isOurs ? sent : events.ours(sent)) === type;
    });
    return event ? event[1] : bestSchema(direction, callbackSchemas, payload);
  }

  return {
    toTheirs: {
      query: (_, query) => {
        const status = valueAt(query, ['status']);
        return typeof status === 'string' && query
          ? { ...query, status: statuses.theirs(status) }
          : query;
      },
      request(operation, body) {
        const schema = requestOf(operation);
        if (!schema || !isObject(body)) return body;
        const { stream, ...rest } = body;
        const sent = hasStream || operation !== 'generateContent' ? body : rest;
        for (const name of Object.keys(sent)) {
          if (sent[name] !== undefined && !has(`${operation}.${name}`))
            throw new TypeError(
              `According to its deployment file, this service has no ${operation}.${name}. Leave it out.`,
            );
        }
        return translate(outward, schema, sent) as object;
      },
      response(operation, body) {
        const schema = bestSchema(outward, bodies[operation].responses, body);
        return wrapped((schema ? translate(outward, schema, body) : body) as object);
      },
      streamEvent: (type, data) =>
        wrapped(translate(outward, streamEvents[type] as string, data) as object),
      payload(payload) {
        const schema = payloadSchema(outward, payload) as string;
        const type = Object.keys(callbacks).find((type) => callbacks[type] === schema);
        const named = type && namesOf(schema).fields.has('event') ? { event: type } : {};
        return wrapped(translate(outward, schema, { ...payload, ...named }) as object);
      },
    },
    toOurs: {
      status: (word) => {
        const ours = statuses.ours(word);
        return generationStatuses.includes(ours) ? ours : undefined;
      },
      request(operation, body) {
        const schema = requestOf(operation);
        if (!schema || !isObject(body)) return { body, unknown: [] };
        const { renamings, fields } = namesOf(schema);
        const isTheirs = (name: string) => renamings.some(({ theirs }) => theirs[0] === name);
        const isRenamed = (name: string) => renamings.some(({ ours }) => ours.join('.') === name);
        const unknown = Object.keys(body).filter(
          (name) => fields.has(name) && isRenamed(name) && !isTheirs(name),
        );
        const ours = translate(inward, schema, body) as Record<string, unknown>;
        const lacking = [...fields.keys()].filter(
          (name) =>
            Object.hasOwn(ours, name) &&
            (!has(`${operation}.${name}`) || (name === 'stream' && !hasStream)),
        );
        const theirName = (name: string) =>
          renamings.find(({ ours }) => ours.join('.') === name)?.theirs.join('.') ?? name;
        return { body: ours, unknown: [...new Set([...unknown, ...lacking.map(theirName)])] };
      },
      response(operation, body) {
        const whole = unwrapped(body);
        const schema = operation && bestSchema(inward, bodies[operation].responses, whole);
        return schema ? translate(inward, schema, whole) : whole;
      },
      streamEvent(type, data) {
        const schema = Object.hasOwn(streamEvents, type) ? streamEvents[type] : undefined;
        const whole = unwrapped(data);
        return schema ? translate(inward, schema, whole) : whole;
      },
      payload(payload) {
        const whole = unwrapped(payload);
        const schema = payloadSchema(inward, whole);
        return schema ? translate(inward, schema, whole) : whole;
      },
    },
    requestField(name) {
      const { renamings } = namesOf('GenerateRequest');
      return renamings.find(({ ours }) => ours.join('.') === name)?.theirs.join('.') ?? name;
    },
  };
}

/** Our words and theirs. A word that neither side knows stays as it is. */
function dictionary(ours: readonly string[], given: Readonly<Record<string, string>> = {}) {
  const theirsOf = new Map(Object.entries(given));
  const oursOf = new Map(ours.map((word) => [theirsOf.get(word) ?? word, word]));
  const look = (map: ReadonlyMap<string, string>, word: unknown) =>
    (typeof word === 'string' ? map.get(word) : undefined) ?? (word as string);
  return {
    theirs: (word: unknown) => look(theirsOf, word),
    ours: (word: unknown) => look(oursOf, word),
  };
}
