import type { Scheme } from '../scheme-port.ts';

type SentHeaders = Readonly<Record<string, string>>;

/** Where the deliveries of a scheme carry their id or their time. */
export interface EnvelopeField {
  /** The header that contains it; it can be that of the signature. */
  readonly header: string;
  /** Whether the signature covers it. */
  readonly isSigned: boolean;
  /** The value as sent; `undefined` if the header is missing. */
  read(headers: SentHeaders): string | undefined;
  /** The headers with the value replaced, or removed if it is `undefined`. Missing headers are not added. */
  write(headers: SentHeaders, value: string | undefined): SentHeaders;
}

export interface EnvelopeFields {
  readonly id: EnvelopeField;
  readonly time: EnvelopeField;
}

export function envelopeFieldsOf(scheme: Scheme): EnvelopeFields {
  const { idHeader = 'webhook-id', time, signsEnvelope, signsTime = signsEnvelope } = scheme;
  const timeHeader = time?.header ?? 'webhook-timestamp';
  const isInSignature = scheme.signatureHeaders.some((name) => isSameName(name, timeHeader));
  const timeHeaders = isInSignature ? scheme.signatureHeaders : [timeHeader];
  return {
    id: fieldIn([idHeader], signsEnvelope),
    time: fieldIn(timeHeaders, signsTime, time?.read),
  };
}

/** @param names - The headers that all contain it. */
function fieldIn(
  names: readonly string[],
  isSigned: boolean,
  readValue: (value: string) => string | undefined = (value) => value,
): EnvelopeField {
  const [header = ''] = names;
  const entriesOf = (headers: SentHeaders) =>
    Object.entries(headers).filter(([key]) => names.some((name) => isSameName(name, key)));
  return {
    header,
    isSigned,
    read: (headers) => entriesOf(headers).map(([, whole]) => readValue(whole))[0],
    write(headers, value) {
      const changed: Record<string, string> = { ...headers };
      for (const [key, whole] of entriesOf(headers)) {
        const sent = readValue(whole);
        const text = sent === whole ? value : withPart(whole, sent, value);
        if (text === undefined) delete changed[key];
        else changed[key] = text;
      }
      return changed;
    },
  };
}

/** A header of several parts, such as `t=1767225600,v1=…`, with another value in one of them, or without that part. */
function withPart(whole: string, sent: string | undefined, value: string | undefined): string {
  if (sent === undefined) return whole;
  const separator = /[,;]/.exec(whole)?.[0] ?? ' ';
  const parts = whole.split(separator);
  const place = parts.findIndex((part) => part.includes(sent));
  // A scheme of your own can read a value that is not in the header as such.
  if (place < 0) return whole;
  const replaced = value === undefined ? [] : [parts[place]?.replace(sent, () => value)];
  return [...parts.slice(0, place), ...replaced, ...parts.slice(place + 1)].join(separator);
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
