import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { base, failureOf } from './counter.ts';

const { setTimeout: realTimeout } = globalThis;
const { random: realRandom } = Math;

test('anything an application uses from outside the simulation is found and named', async () => {
  const error = await failureOf(
    simulate({
      ...base,
      seeds: 10,
      run: async ({ app, disk }) => {
        await disk.open('db').set('lottery', Math.random());
        await app.order('a');
      },
    }),
  );
  expect(error.cause).toMatchObject({ code: 'not_deterministic' });
  expect(error.message).toMatch(
    /differ at step 2:\n.*db\.set lottery 0\.\d+\n.*db\.set lottery 0\.\d+/,
  );
  expect(error.message).toMatch(/Math\.random \(.*outside\.test\.ts:\d+\)/);
});

test('real input and output is named even if it changes nothing', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { outside } = await simulate({
    ...base,
    seeds: 2,
    run: async ({ app }) => {
      // First, while nothing simulated is under way that could go on or not in the meantime.
      const socket = connect(port, '127.0.0.1').resume();
      await once(socket, 'close');
      setTimeout(() => {}, 1);
      await readFile('package.json');
      await app.order('a');
    },
  });
  server.close();
  expect(outside.map((line) => line.replace(/ \(.*/, ''))).toEqual(
    expect.arrayContaining(['a socket', 'setTimeout', 'a file']),
  );
  expect(outside.find((line) => line.startsWith('setTimeout'))).toMatch(/outside\.test\.ts:\d+/);
  expect((await simulate({ ...base, seeds: 2 })).outside).toEqual([]);
});

const escapes: Record<string, () => unknown> = {
  'timers/promises': () => pause(2),
  'AbortSignal.timeout': () => once(AbortSignal.timeout(2), 'abort'),
  MessageChannel: () => {
    const { port1, port2 } = new MessageChannel();
    port2.postMessage('');
    return once(port1, 'message').finally(() => port1.close());
  },
  'a real timer': () => new Promise((resolve) => realTimeout(resolve, 2)),
  'crypto.getRandomValues': () => crypto.getRandomValues(new Uint8Array(1)),
};

test.each([true, false])(
  'what escapes is named with its line, also with globals: %s',
  async (globals) => {
    const { outside } = await simulate({
      ...base,
      globals,
      seeds: 2,
      run: async ({ app }) => {
        // First, as above.
        for (const use of Object.values(escapes)) await use();
        await app.order('a');
      },
    });
    const escaping = Object.keys(escapes).filter((name) => !globals || name !== 'timers/promises');
    for (const name of escaping) {
      const line = outside.find((used) => used.startsWith(name));
      expect(line).toMatch(/\(test\/simulate\/outside\.test\.ts:\d+\)/);
    }
    expect(outside).toHaveLength(escaping.length);
    const { message } = await failureOf(
      simulate({
        ...base,
        globals,
        seeds: 1,
        run: ({ disk }) => disk.open('db').set('a', realRandom()),
      }),
    );
    expect(message.includes('pass globals: true')).toBe(!globals);
  },
);

test('what the application still does when `run` has ended is waited for', async () => {
  let saved = 0;
  const save = async () => {
    await pause(5);
    saved += 1;
  };
  const receive = () => async () => {
    await pause(5);
    saved += 1;
    return new Response();
  };
  await simulate({
    ...base,
    seeds: 1,
    chaos: {},
    app: () => ({ save }),
    receive,
    run: ({ app }) => void app.save(),
  });
  expect(saved).toBe(3);
});

test('a real timer longer than the patience is named with its line', async () => {
  const error = await failureOf(
    simulate({ ...base, seeds: 1, patience: 20, run: () => pause(300) }),
  );
  expect(error.message).toMatch(
    /timers\/promises \(test\/simulate\/outside\.test\.ts:\d+\): .* 20 ms/,
  );
});
