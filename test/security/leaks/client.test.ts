import { inspect } from 'node:util';
import { ContentGen, type ContentGenError } from 'contentgen';
import { otel } from 'contentgen/otel';
import { expect, test } from 'vitest';
import { exporter, spans, tracerProvider } from '../../otel/tracing.ts';
import { canaries } from './canaries.ts';
import { findLeaks } from './find-leaks.ts';
import { spell } from './spell.ts';

const { prompt, 'foreign key': apiKey, 'access token': accessToken } = canaries;
const json = { 'content-type': 'application/problem+json' };
const stream = { 'content-type': 'text/event-stream' };

/** What a service can do with what it was sent, spelled in its own way. The id that it gives a generation is its own. */
const reactions: Readonly<Record<string, (echo: string) => Response>> = {
  'a problem that quotes it everywhere': (echo) =>
    new Response(
      `{"code":"validation_failed","status":422,"title":"${echo}","detail":"You sent ${echo}.","type":"${echo}",
        "instance":"${echo}","errors":[{"pointer":"/metadata/${echo}","parameter":"${echo}","code":"${echo}","message":"${echo}"}]}`,
      { status: 422, headers: json },
    ),
  'a code': (echo) =>
    new Response(`{"code":"${echo}","detail":"${echo}"}`, { status: 400, headers: json }),
  'an error of its own kind': (echo) =>
    new Response(`{"error":{"message":"${echo}","type":"${echo}"},"message":"${echo}"}`, {
      status: 500,
      headers: { 'content-type': 'application/json' },
    }),
  'a page': (echo) => new Response(`<h1>${echo}</h1>`, { status: 503 }),
  headers: (echo) =>
    new Response('{"code":"rate_limited"}', {
      status: 429,
      headers: {
        ...json,
        'x-request-id': echo,
        'retry-after': echo,
        ratelimit: `"${echo}";r=0;t=7`,
        deprecation: echo,
        sunset: echo,
        location: `https://app.example/${echo}`,
      },
    }),
  'a redirect': (echo) =>
    new Response(null, { status: 302, headers: { location: `https://app.example/?${echo}` } }),
  'a result of another shape': (echo) =>
    new Response(`{"requestId":"gen_1","status":"${echo}","${echo}":"${echo}"}`, {
      headers: { 'content-type': 'application/json' },
    }),
  'no JSON': (echo) =>
    new Response(`{"${echo}"`, { headers: { 'content-type': 'application/json' } }),
  'a failed stream': (echo) =>
    new Response(
      `event: generation.failed\ndata: {"requestId":"gen_1","status":"failed","error":{"code":"${echo}","message":"${echo}"}}\n\n`,
      { headers: stream },
    ),
  'an unknown stream': (echo) =>
    new Response(`event: ${echo}\ndata: ${echo}\nid: ${echo}\n\n`, { headers: stream }),
};

type Calls = Readonly<Record<string, (client: ContentGen) => Promise<unknown>>>;

const generations: Calls = {
  generate: (client) => client.content.generate({ prompt }),
  start: (client) => client.content.start({ prompt, webhookUrl: 'https://app.example/cb' }),
  stream: (client) => client.content.stream({ prompt }).final(),
};
const others: Calls = {
  list: (client) => Array.fromAsync(client.apiKeys.list()),
  usage: (client) => client.usage.get(),
};

/** Everything that a client says about its failing calls, but for the fields that hold the response. */
async function said(
  calls: Calls,
  options: object,
  echo: string,
): Promise<Record<string, string[]>> {
  const written: Record<string, string[]> = {
    message: [],
    error: [],
    JSON: [],
    logs: [],
    hooks: [],
  };
  const write = (where: string, ...values: unknown[]) =>
    void written[where]?.push(...values.flatMap((value) => [`${inspect(value, { depth: 9 })}\n`]));
  const line = (message: string, facts: object) => write('logs', message, JSON.stringify(facts));
  const logger = { debug: line, info: line, warn: line, error: line };
  for (const react of Object.values(reactions)) {
    for (const call of Object.values(calls)) {
      const client = new ContentGen({
        ...{ baseUrl: 'https://api.example.com', maxRetries: 0, deadline: 5_000, logger },
        ...{ logLevel: 'debug', ...options },
        middleware: [otel({ tracerProvider })],
        onRetry: (event) => write('hooks', JSON.stringify(event)),
        fetch: async () => {
          try {
            return react(echo);
          } catch {
            // No header can carry this spelling.
            return new Response(null, { status: 500 });
          }
        },
      });
      const error = await call(client).catch((thrown: ContentGenError) => thrown);
      if (!(error instanceof Error)) continue;
      write('message', error.message);
      // The names of files and functions are no words of the service.
      write('error', inspect(error, { depth: 9 }).replaceAll(/\n +at .*/g, ''));
      write('JSON', JSON.stringify(error));
    }
  }
  written['traces'] = spans().map(({ name, attributes, events, status }) =>
    JSON.stringify([name, attributes, events, status]),
  );
  exporter.reset();
  return written;
}

test.each(Object.entries(spell))(
  'no failed call shows what was sent, when the service quotes it %s',
  async (_, spelled) => {
    const credentials = { apiKey, accessToken };
    for (const [option, secret] of Object.entries(credentials)) {
      const options = { [option]: secret };
      const both = `${spelled(secret)} ${spelled(prompt)}`;
      const written = [
        await said(generations, options, both),
        await said(others, options, spelled(secret)),
      ];
      expect(written.map((outputs) => findLeaks(outputs, canaries))).toEqual([[], []]);
    }
  },
);
