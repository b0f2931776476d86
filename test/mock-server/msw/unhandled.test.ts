import http from 'node:http';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SetupMockOptions } from '../../../mock-server/msw/node.ts';
import { unhandledOptions } from '../../../mock-server/msw/unhandled.ts';
import { closeAfterwards, serve } from '../../support/sockets.ts';

type Choice = NonNullable<SetupMockOptions['onUnhandledRequest']>;

/** Reaches this machine, and is not taken for a loopback address. */
const asOtherHost = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

const settled = { rejects: 'rejects', responds: 'responds' } as const;

const viaFetch = (url: string) =>
  fetch(url, { method: 'POST', body: 'text' }).then(
    () => settled.responds,
    () => settled.rejects,
  );

const viaNodeHttp = (url: string) =>
  new Promise<string>((resolve) => {
    http
      .get(url, (response) => resolve(response.resume() && settled.responds))
      .on('error', () => resolve(settled.rejects));
  });

const viaWebSocket = (url: string) =>
  new Promise<string>((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    // This server upgrades nothing, so its response is an error too. Only the hits tell them apart.
    socket.onerror = () => resolve(settled.rejects);
  });

describe.each([
  ['msw 3', 'msw', 'msw/node'],
  ['msw 2', 'msw-2', 'msw-2/node'],
])('%s', (_, core, node) => {
  let hits = 0;
  let printed: string[] = [];
  let origin = '';

  beforeEach(async () => {
    hits = 0;
    printed = [];
    vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(`error ${line}`));
    vi.spyOn(console, 'warn').mockImplementation((line) => void printed.push(`warn ${line}`));
    origin = await serve((_, response) => {
      hits += 1;
      response.end('reached');
    });
  });

  async function setup(onUnhandledRequest?: Choice): Promise<void> {
    vi.resetModules();
    if (core !== 'msw') {
      vi.doMock('msw', () => import(core));
      vi.doMock('msw/node', () => import(node));
    }
    const { setupMockServer } = await import('../../../mock-server/msw/node.ts');
    const options = onUnhandledRequest === undefined ? {} : { onUnhandledRequest };
    const { close } = setupMockServer({ clock: 'manual', baseUrl: 'https://a.test', ...options });
    closeAfterwards(async () => {
      await close();
      vi.doUnmock('msw');
      vi.doUnmock('msw/node');
      vi.restoreAllMocks();
    });
  }

  test.each([
    ['fetch', viaFetch],
    ['node:http', viaNodeHttp],
    ['WebSocket', viaWebSocket],
  ])('by default a request of %s to another host never leaves, and is printed', async (_, send) => {
    await setup();
    expect(await send(asOtherHost(`${origin}/x`))).toBe('rejects');
    expect(hits).toBe(0);
    expect(printed).toEqual([expect.stringMatching(/^error \[MSW\] Error/)]);
    await send(`${origin}/x`);
    expect(hits).toBe(1);
    expect(printed).toHaveLength(1);
  });

  test.each<[string, Choice, 0 | 1, string | undefined]>([
    ["'warn' sends it on, with a warning", 'warn', 1, 'warn'],
    ["'bypass' sends it on", 'bypass', 1, undefined],
    ['a function that prints an error fails it', (_, print) => print.error(), 0, 'error'],
    ['a function that prints a warning sends it on', (_, print) => print.warning(), 1, 'warn'],
    ['a function that prints nothing sends it on', () => {}, 1, undefined],
    [
      'an asynchronous function fails it too, even if MSW cannot print what was read',
      async (request, print) => {
        if ((await request.text()) === 'text') print.error();
      },
      0,
      undefined,
    ],
  ])('%s', async (_, choice, expected, level) => {
    await setup(choice);
    const outcome = await viaFetch(asOtherHost(`${origin}/x`));
    expect([outcome, hits]).toEqual([expected === 1 ? 'responds' : 'rejects', expected]);
    expect(printed.map((line) => line.split(' ', 1)[0])).toEqual(level ? [level] : []);
  });

  test('a function decides about requests to this machine too', async () => {
    const urls: string[] = [];
    await setup((request, print) => {
      urls.push(request.url);
      print.error();
    });
    expect(await viaFetch(`${origin}/x`)).toBe('rejects');
    expect([hits, urls]).toEqual([0, [`${origin}/x`]]);
  });
});

test('a request fails as one without a response where printing throws, as in older versions of MSW', () => {
  const { onUnhandledRequest } = unhandledOptions((_, print) => print.error());
  const error = () => {
    throw new Error('Cannot bypass a request');
  };
  const send = () =>
    onUnhandledRequest(new Request('https://app.example/'), { warning() {}, error });
  expect(send).toThrow(Response);
});

test("a page's requests to its own host are sent on, and those to others fail", () => {
  const { onUnhandledRequest } = unhandledOptions('error', 'app.example:8443');
  const print = { warning: vi.fn(), error: vi.fn() };
  const send = (url: string) => () => onUnhandledRequest(new Request(url), print);
  expect(send('https://app.example:8443/chunk.js')).not.toThrow();
  expect(print.error).not.toHaveBeenCalled();
  expect(send('https://app.example/chunk.js')).toThrow(Response);
  expect(print.error).toHaveBeenCalledOnce();
});
