// CPU per chunk as streams grow. A linear parser has about the same figure in both columns.
// npm run build && npm ci --prefix bench && node --expose-gc bench/client/streams.mjs [--quick]
import Anthropic from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import OpenAI from 'openai';
import { ContentGen } from '../bake-off/clients.mjs';
import { median } from './median.mjs';

const rounds = process.argv.includes('--quick') ? 1 : 3;
const sizes = [10_000, 40_000];
const text = 'eight ch';
const encoder = new TextEncoder();

/** How each service sends a delta and the end of the stream. */
const dialects = {
  contentgen: {
    delta: (value) => ['generation.delta', { requestId: 'gen_1', delta: value }],
    end: ['generation.completed', { requestId: 'gen_1', status: 'completed', result: text }],
  },
  openai: {
    delta: (value) => [undefined, { choices: [{ index: 0, delta: { content: value } }] }],
    end: [undefined, '[DONE]'],
  },
  anthropic: {
    delta: (value) => [
      'content_block_delta',
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: value } },
    ],
    end: ['message_stop', { type: 'message_stop' }],
  },
};

const readers = {
  contentgen: async (fetch) => {
    const client = new ContentGen({ baseUrl: 'https://api.example.com', apiKey: 'k', fetch });
    let length = 0;
    for await (const delta of client.content.stream({ prompt: 'p' })) length += delta.length;
    return length;
  },
  openai: async (fetch) => {
    const client = new OpenAI({ baseURL: 'https://api.example.com', apiKey: 'k', fetch });
    const request = { model: 'm', stream: true, messages: [{ role: 'user', content: 'p' }] };
    let length = 0;
    for await (const { choices } of await client.chat.completions.create(request))
      length += choices[0].delta.content.length;
    return length;
  },
  anthropic: async (fetch) => {
    const client = new Anthropic({ baseURL: 'https://api.example.com', apiKey: 'k', fetch });
    const request = {
      model: 'm',
      max_tokens: 9,
      stream: true,
      messages: [{ role: 'user', content: 'p' }],
    };
    let length = 0;
    for await (const event of await client.messages.create(request))
      length += event.delta?.text.length ?? 0;
    return length;
  },
  'eventsource-parser': async (fetch) => {
    let length = 0;
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === 'generation.delta') length += JSON.parse(data).delta.length;
      },
    });
    const decoder = new TextDecoder();
    for await (const bytes of (await fetch()).body)
      parser.feed(decoder.decode(bytes, { stream: true }));
    return length;
  },
};

const format = ([event, data]) =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** The chunks of a stream: one event in each, or a single event spread over all of them. */
const shapes = {
  'one event per chunk': ({ delta, end }, count) => [
    ...Array.from({ length: count }, () => format(delta(text))),
    format(end),
  ],
  'one event in all chunks': ({ delta, end }, count) => {
    const whole = format(delta(text.repeat(count)));
    const chunks = whole.match(new RegExp(`[^]{1,${text.length}}`, 'g'));
    return [...chunks, format(end)];
  },
};

function fetchOf(chunks) {
  const bytes = chunks.map((chunk) => encoder.encode(chunk));
  return async () => {
    let next = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (next < bytes.length) controller.enqueue(bytes[next++]);
        else controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

console.log(
  `| stream | reader | ${sizes.map((size) => `${size} chunks, µs each`).join(' | ')} | growth |`,
);
console.log('| --- | --- | --: | --: | --: |');
for (const [shape, chunksOf] of Object.entries(shapes)) {
  for (const [name, read] of Object.entries(readers)) {
    const dialect = dialects[name] ?? dialects.contentgen;
    const figures = [];
    for (const size of sizes) {
      const fetch = fetchOf(chunksOf(dialect, size));
      const times = [];
      for (let round = 0; round <= rounds; round += 1) {
        globalThis.gc?.();
        const before = process.cpuUsage();
        const length = await read(fetch);
        const { user, system } = process.cpuUsage(before);
        if (length !== text.length * size) throw new Error(`${name} read ${length} characters.`);
        // The first round is the warm-up.
        if (round > 0) times.push((user + system) / size);
      }
      figures.push(median(times));
    }
    const growth = figures.at(-1) / figures[0];
    console.log(
      `| ${[shape, name, ...figures.map((figure) => figure.toFixed(2)), growth.toFixed(2)].join(' | ')} |`,
    );
  }
}
