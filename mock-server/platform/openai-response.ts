import { EventSourceParserStream } from 'eventsource-parser/stream';
import { GenerationFailure } from '../domain/default-generator.ts';
import type { GeneratorUsage } from '../domain/ports.ts';
import { printable } from '../domain/redact.ts';

interface Message {
  readonly content?: unknown;
}

/** The most of one line of a stream or of a whole response, and the most text of one generation. */
const MAX_BODY_CHARS = 4 * 1024 * 1024;
const MAX_TEXT_CHARS = 1024 * 1024;

/** A chat completion, or one chunk of it. */
interface Completion {
  readonly choices?: readonly {
    readonly delta?: Message;
    readonly message?: Message;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
  } | null;
  readonly error?: unknown;
}

/** Removes what must not be shown from text that the model's server sent. */
export type Clean = (text: string) => string;

/**
 * Yields the text of a response, streamed or whole, and returns the token counts that came with it. Some servers end a
 * stream without `[DONE]`, so an orderly end after any chunk counts as complete.
 */
export async function* readCompletion(
  response: Response,
  clean: Clean,
): AsyncGenerator<string, GeneratorUsage | undefined, undefined> {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  if (!isStream) {
    const { text, usage } = readPart(await readCapped(response, MAX_BODY_CHARS), clean);
    if (text === undefined) throw new GenerationFailure('The model sent a response without text.');
    assertLength(text.length);
    if (text !== '') yield text;
    return usage;
  }
  const events = eventsOf(response);
  let usage: GeneratorUsage | undefined;
  let begun = false;
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await events.read();
      if (done && !begun) throw new GenerationFailure('The stream of the model was empty.');
      if (done || value.data === '[DONE]') return usage;
      const part = readPart(value.data, clean);
      begun ||= part.text !== undefined;
      usage = part.usage ?? usage;
      length += part.text?.length ?? 0;
      assertLength(length);
      if (part.text) yield part.text;
    }
  } finally {
    await events.cancel().catch(() => {});
  }
}

/** The text of a response. The connection is closed when it is too long. */
export async function readCapped({ body }: Response, maxChars: number): Promise<string> {
  let text = '';
  for await (const piece of decoded(body)) {
    text += piece;
    if (text.length > maxChars) throw tooLong(maxChars);
  }
  return text;
}

function assertLength(length: number): void {
  if (length > MAX_TEXT_CHARS) throw tooLong(MAX_TEXT_CHARS);
}

const tooLong = (maxChars: number) =>
  new GenerationFailure(`The model sent more than ${maxChars} characters.`);

function decoded(body: Response['body']) {
  return (body ?? new Blob().stream()).pipeThrough(
    new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>,
  );
}

/** The events of a stream; a line without an end, or an event without one, fails. */
function eventsOf({ body }: Response) {
  let pending = 0;
  const limitLines = new TransformStream<string, string>({
    transform(piece, controller) {
      // What is pending in the parser ends with an empty line.
      const end = Math.max(piece.lastIndexOf('\n\n'), piece.lastIndexOf('\r\n\r\n'));
      pending = end < 0 ? pending + piece.length : piece.length - end;
      if (pending > MAX_BODY_CHARS) throw tooLong(MAX_BODY_CHARS);
      controller.enqueue(piece);
    },
  });
  return decoded(body)
    .pipeThrough(limitLines)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
}

/** `text` is undefined for a part without choices, such as the last one, which has only the usage. */
function readPart(json: string, clean: Clean): { text?: string; usage?: GeneratorUsage } {
  let part: Completion;
  try {
    part = JSON.parse(json) as Completion;
  } catch {
    throw new GenerationFailure('The model sent a response that is not valid JSON.');
  }
  if (part?.error) {
    throw new GenerationFailure(withDetail('The model reported an error', messageOf(part), clean));
  }
  const [choice] = part?.choices ?? [];
  const usage = usageOf(part?.usage);
  return {
    ...(choice && { text: textOf((choice.message ?? choice.delta)?.content) }),
    ...(usage && { usage }),
  };
}

/** The text of a message: a string, or a list of parts of which each is text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) throw notText();
  return content.map((part) => textOfPart(Object(part))).join('');
}

function textOfPart({ type, text }: { readonly type?: unknown; readonly text?: unknown }): string {
  if ((type === 'text' || type === undefined) && typeof text === 'string') return text;
  throw notText();
}

const notText = () => new GenerationFailure('The model sent content that is not text.');

function usageOf(usage: Completion['usage']): GeneratorUsage | undefined {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {};
  if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined;
  return { promptTokens, completionTokens };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** The text in which a server explains an error: `{ error: { message } }`, `{ error }` or `{ message }`. */
export function messageOf(body: unknown): string {
  const { error, message } = Object(body) as { error?: unknown; message?: unknown };
  const nested = (Object(error) as { message?: unknown }).message;
  for (const text of [nested, error, message]) if (typeof text === 'string') return text;
  return '';
}

/** The sentence, followed by the server's message, cleaned and shortened. */
export function withDetail(sentence: string, detail: string, clean: Clean): string {
  const text = clean(printable(detail).replace(/\s+/g, ' ').trim());
  if (text === '') return `${sentence}.`;
  return `${sentence}: ${text.length > 300 ? `${text.slice(0, 299)}…` : text}`;
}
