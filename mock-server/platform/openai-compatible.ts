import { EventSourceParserStream } from 'eventsource-parser/stream';
import { GenerationFailure } from '../domain/default-generator.ts';
import type { Generator } from '../domain/ports.ts';

export interface OpenAICompatibleOptions {
  /** Including the version, for example `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Model to use upstream for every request. @default the model that the request names */
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
    throw new GenerationFailure('The model sent a chunk that is not valid JSON.');
  }
  if (chunk.error) throw new GenerationFailure('The model reported an error.');
  return chunk.choices?.[0]?.delta?.content ?? '';
}

/**
 * Creates a generator that streams from an endpoint compatible with OpenAI's chat completions, hosted or local.
 *
 * The generation fails on an error status, on an invalid chunk and on a stream that ends without `[DONE]`.
 *
 * @throws TypeError when `baseUrl` is not an http(s) URL
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
    throw new TypeError('Failed to create the generator: baseUrl must be an http(s) URL.');
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
      throw new GenerationFailure('Failed to reach the model.', { cause: error });
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw new GenerationFailure(`The model responded with status ${response.status}.`);
    }
    const events = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    try {
      for (;;) {
        const { done, value } = await events.read();
        if (done) throw new GenerationFailure('The stream of the model ended early.');
        if (value.data === '[DONE]') return;
        const content = contentOf(value.data);
        if (content !== '') yield content;
      }
    } finally {
      await events.cancel().catch(() => {});
    }
  };
}
