import { GenerationFailure } from '../domain/default-generator.ts';
import { assertKnownOptions, longestTimerMs } from '../domain/known-options.ts';
import { onAbort } from '../domain/listeners.ts';
import type { Generator, GeneratorInput } from '../domain/ports.ts';
import { redactSecrets } from '../domain/redact.ts';
import {
  type Clean,
  messageOf,
  readCapped,
  readCompletion,
  withDetail,
} from './openai-response.ts';

/** Options of `openAICompatible`. */
export interface OpenAICompatibleOptions {
  /** The address of the API, including the version, for example `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The upstream model for every request. @default the model that the request names */
  readonly model?: string;
  /** Sent as a bearer token. @default none */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** Milliseconds of wall time for one generation, from the request to the end of its text. @default 120_000 */
  readonly timeout?: number;
  /**
   * The transport.
   * @default the platform's fetch
   */
  readonly fetch?: typeof fetch;
}

const optionNames: Record<keyof OpenAICompatibleOptions, true> = {
  baseUrl: true,
  model: true,
  apiKey: true,
  timeout: true,
  fetch: true,
};

type Parameters = Record<string, unknown>;

/** What API keys of model providers look like. */
const PROVIDER_KEY = /\b(?:sk|pk|rk|gsk|xai)-[\w-]+/g;
const TIMEOUT_MS = 120_000;
const MAX_ERROR_CHARS = 16 * 1024;

/** What to send instead of a parameter that a model or server rejects; undefined leaves it out. */
const SUBSTITUTES: Readonly<Record<string, string | undefined>> = {
  max_completion_tokens: 'max_tokens',
  stream_options: undefined,
  temperature: undefined,
  seed: undefined,
};

/**
 * Creates a generator that streams from an endpoint compatible with OpenAI's chat completions, hosted or local.
 *
 * Token counts are those of the endpoint, if it reports them, and the endpoint ends the text at `maxTokens`: if it
 * ignores that, the generation fails. A parameter that the model rejects is left out, or sent under its older name. The
 * generation fails on an error status, on an invalid chunk, on an empty stream, beyond 1 MiB of text and after
 * `timeout`; its error quotes the endpoint's message, without anything that looks like a key.
 *
 * @throws TypeError when `baseUrl` is not an http(s) URL, or `timeout` is not above 0 and at most 24 days
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
  assertKnownOptions('create the generator', options, optionNames);
  const { baseUrl, apiKey, timeout = TIMEOUT_MS } = options;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError('Failed to create the generator: baseUrl must be an http(s) URL.');
  }
  if (!(timeout > 0 && timeout <= longestTimerMs)) {
    throw new TypeError(
      'Failed to create the generator: timeout must be milliseconds above 0 and at most 24 days.',
    );
  }
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;
  /** Parameters that were rejected once, so that later generations do not send them again. */
  const rejected = new Set<string>();

  const generate: Generator = async function* generate(input, { signal }) {
    const stopped = new AbortController();
    const deadline = setTimeout(() => stopped.abort(), timeout);
    const stopListening = onAbort(signal, () => stopped.abort(signal.reason));
    try {
      const key =
        typeof apiKey === 'function' ? await unlessStopped(apiKey, stopped.signal) : apiKey;
      const clean: Clean = (text) =>
        redactSecrets(text, key === undefined ? [] : [key]).replace(PROVIDER_KEY, '[redacted]');
      const post = (parameters: Parameters) =>
        (options.fetch ?? globalThis.fetch)(url, {
          method: 'POST',
          signal: stopped.signal,
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify(parameters),
        });
      return yield* complete(post, parametersOf(input, options.model), rejected, clean);
    } catch (error) {
      signal.throwIfAborted();
      if (stopped.signal.aborted) {
        throw new GenerationFailure(`The model did not finish within ${timeout} ms.`);
      }
      throw error;
    } finally {
      clearTimeout(deadline);
      stopListening();
    }
  };
  // Each request contains the limit, under one of its two names.
  return Object.assign(generate, { limitsTokens: true });
}

/** Resolves with the key; rejects if the signal aborts first. */
function unlessStopped(
  getKey: () => string | Promise<string>,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    Promise.resolve().then(getKey).then(resolve, reject).finally(stopListening);
  });
}

async function* complete(
  post: (parameters: Parameters) => Promise<Response>,
  wanted: Parameters,
  rejected: Set<string>,
  clean: Clean,
): ReturnType<typeof readCompletion> {
  try {
    return yield* readCompletion(await postAccepted(post, wanted, rejected, clean), clean);
  } catch (error) {
    if (error instanceof GenerationFailure) throw error;
    throw new GenerationFailure('The connection to the model failed.', { cause: error });
  }
}

function parametersOf(
  { prompt, model, maxTokens, temperature, seed }: GeneratorInput,
  upstreamModel: string | undefined,
): Parameters {
  return {
    model: upstreamModel ?? model,
    messages: [{ role: 'user', content: prompt }],
    max_completion_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** Posts the request. Whenever the endpoint rejects a parameter, posts again without it or with its substitute. */
async function postAccepted(
  post: (parameters: Parameters) => Promise<Response>,
  wanted: Parameters,
  rejected: Set<string>,
  clean: Clean,
): Promise<Response> {
  for (;;) {
    const parameters = substitute(wanted, rejected);
    const response = await post(parameters).catch((error: unknown) => {
      throw new GenerationFailure(`Failed to reach the model${reasonOf(error)}.`, { cause: error });
    });
    if (response.ok) return response;
    const body = parseError(await readCapped(response, MAX_ERROR_CHARS));
    const name = [400, 422].includes(response.status) && rejectedParameter(body, parameters);
    if (!name) {
      const sentence = `The model responded with status ${response.status}`;
      throw new GenerationFailure(withDetail(sentence, messageOf(body), clean));
    }
    rejected.add(name);
  }
}

/** ` (ECONNREFUSED)`, or nothing if the platform does not say why `fetch` failed. */
function reasonOf(error: unknown): string {
  const { code } = Object((error as Error).cause) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
}

function substitute(wanted: Parameters, rejected: ReadonlySet<string>): Parameters {
  const sent = Object.entries(wanted).flatMap(([name, value]) => {
    if (!rejected.has(name)) return [[name, value] as const];
    const other = SUBSTITUTES[name];
    return other === undefined ? [] : [[other, value] as const];
  });
  return Object.fromEntries(sent);
}

/** The parameter that an error is about, if it can be left out or substituted. */
function rejectedParameter(body: unknown, sent: Parameters): string | undefined {
  const { param } = Object((body as { error?: unknown } | undefined)?.error) as { param?: unknown };
  const replaceable = Object.keys(SUBSTITUTES).filter((name) => name in sent);
  if (typeof param === 'string' && replaceable.includes(param)) return param;
  const text = JSON.stringify(body) ?? '';
  return replaceable.find((name) => new RegExp(`\\b${name}\\b`).test(text));
}

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}
