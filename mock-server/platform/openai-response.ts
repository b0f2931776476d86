import { EventSourceParserStream } from 'eventsource-parser/stream';
import { GenerationFailure } from '../domain/default-generator.ts';
import type { GeneratorUsage } from '../domain/ports.ts';
import { printable } from '../domain/redact.ts';

interface Message {
  readonly content?: string | null;
}

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
    const { text, usage } = readPart(await response.text(), clean);
    if (text === undefined) throw new GenerationFailure('The model sent a response without text.');
    if (text !== '') yield text;
    return usage;
  }
  const events = eventsOf(response);
  let usage: GeneratorUsage | undefined;
  let begun = false;
  try {
    for (;;) {
      const { done, value } = await events.read();
      if (done && !begun) throw new GenerationFailure('The stream of the model was empty.');
      if (done || value.data === '[DONE]') return usage;
      const part = readPart(value.data, clean);
      begun ||= part.text !== undefined;
      usage = part.usage ?? usage;
      if (part.text) yield part.text;
    }
  } finally {
    await events.cancel().catch(() => {});
  }
}

function eventsOf({ body }: Response) {
  if (!body) throw new GenerationFailure('The stream of the model was empty.');
  return body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
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
    ...(choice && { text: (choice.message ?? choice.delta)?.content ?? '' }),
    ...(usage && { usage }),
  };
}

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
