import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Pieces } from '../../../mock-server/api/pieces.ts';
import { makePlain, sendResponse } from '../../../mock-server/http/node-response.ts';

const PIECE = new Uint8Array(4096);

test('300 streams that nobody reads hold at most 64 kB and a piece each, and are produced no further', async () => {
  let produced = 0;
  let left = 0;
  const responses = Array.from({ length: 300 }, () => {
    const endless: Pieces = {
      async read() {
        produced += 1;
        // Without a limit, a server that did not wait would never end this test.
        return produced > 100_000 ? undefined : PIECE;
      },
      cancel() {
        left += 1;
      },
    };
    // Nothing that is written to it ever leaves: it has no connection.
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    sendResponse(response, makePlain(endless as never, { status: 200, headers: {} }));
    return response;
  });
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  const before = produced;
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(produced).toBe(before);
  const waiting = Math.max(...responses.map(({ writableLength }) => writableLength));
  expect(waiting).toBeLessThan(64 * 1024 + 2 * PIECE.length);
  for (const response of responses) response.destroy();
  await setImmediate();
  expect(left).toBe(300);
});
