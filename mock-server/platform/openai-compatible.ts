import { EventSourceParserStream } from 'eventsource-parser/stream';
import { GenerationFailure } from '../domain/default-generator.ts';
import type { Generator } from '../domain/ports.ts';

export interface OpenAICompatibleOptions {
  /** Up to and with its version, for instance `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The upstream's model, whatever model a request names. @default the request's */
  readonly model?: string;
  /** Sent as a bearer token. @default none */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** @default the platform's fetch */
  readonly fetch?: typeof fetch;
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly error?: unknown;
}

function contentOf(data: string): string {
  let chunk: Chunk;
  try {
    chunk = JSON.parse(data) as Chunk;
  } catch {
    throw new GenerationFailure('The model sent a chunk that is not JSON.');
  }
  if (chunk.error) throw new GenerationFailure('The model broke off with an error.');
  return chunk.choices?.[0]?.delta?.content ?? '';
}

/**
 * A generator that streams from any endpoint with OpenAI's chat completions: hosted, or a local model server.
 * Answers but 200, broken chunks and a stream without its end make the generation fail.
 *
 * @throws TypeError for a baseUrl that is no http(s) URL
 * @example
 * ```ts
 * import { createMockServer, openAICompatible } from 'contentgen/mock';
 *
 * const mock = createMockServer({
 *   generator: openAICompatible({ baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2' }),
 * });
 * ```
 */
export function openAICompatible(options: OpenAICompatibleOptions): Generator {
  const { baseUrl, apiKey } = options;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError('Failed to make a generator: baseUrl must be an http(s) URL.');
  }
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;

  return async function* generate({ prompt, model, maxTokens, temperature, seed }, { signal }) {
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
    const send = options.fetch ?? globalThis.fetch;
    const response = await send(url, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model: options.model ?? model,
        messages: [{ role: 'user', content: prompt }],
        max_tokens: maxTokens,
        ...(temperature !== undefined && { temperature }),
        ...(seed !== undefined && { seed }),
        stream: true,
      }),
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new GenerationFailure('The model cannot be reached.', { cause: error });
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw new GenerationFailure(`The model answered with status ${response.status}.`);
    }
    const events = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    try {
      for (;;) {
        const { done, value } = await events.read();
        if (done) throw new GenerationFailure('The model broke off before its end.');
        if (value.data === '[DONE]') return;
        const content = contentOf(value.data);
        if (content !== '') yield content;
      }
    } finally {
      await events.cancel().catch(() => {});
    }
  };
}
