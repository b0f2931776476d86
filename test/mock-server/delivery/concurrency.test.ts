import { expect, test } from 'vitest';
import { createLanes, type Leave } from '../../../mock-server/domain/delivery/concurrency.ts';

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Enters many times and keeps the places that were given. */
function entrants(lanes: ReturnType<typeof createLanes>) {
  const inside: { key: string; leave: Leave }[] = [];
  const enter = (key: string, suspect = false, signal = never) =>
    void Promise.resolve(lanes.enter(key, suspect, signal)).then((leave) => {
      if (leave) inside.push({ key, leave });
    });
  return { inside, enter };
}

test('an endpoint starts with one attempt at once and doubles with every success', async () => {
  const { inside, enter } = entrants(createLanes({ perEndpoint: 4, trusted: 100, suspect: 100 }));
  for (let n = 0; n < 20; n += 1) enter('a');
  await turn();
  expect(inside).toHaveLength(1);
  const sizes = [];
  while (inside.length > 0) {
    inside.shift()?.leave(true);
    await turn();
    sizes.push(inside.length);
  }
  expect(sizes.slice(0, 3)).toEqual([2, 4, 4]);
  expect(Math.max(...sizes)).toBe(4);
  expect(sizes).toHaveLength(20);
});

test('a failure puts an endpoint back to one attempt at once', async () => {
  const { inside, enter } = entrants(createLanes({ perEndpoint: 8, trusted: 100, suspect: 100 }));
  for (let n = 0; n < 40; n += 1) enter('a');
  await turn();
  for (let n = 0; n < 4; n += 1) {
    inside.shift()?.leave(true);
    await turn();
  }
  expect(inside.length).toBeGreaterThan(4);
  for (const { leave } of inside.splice(0)) leave(false);
  await turn();
  expect(inside).toHaveLength(1);
});

test('dead endpoints fill their own lane and leave the trusted one alone', async () => {
  const { inside, enter } = entrants(createLanes({ perEndpoint: 2, trusted: 3, suspect: 2 }));
  for (let n = 0; n < 10; n += 1) enter(`dead-${n}`, true);
  await turn();
  expect(inside).toHaveLength(2);
  for (let n = 0; n < 10; n += 1) enter(`live-${n}`);
  await turn();
  expect(inside.filter(({ key }) => key.startsWith('live'))).toHaveLength(3);
});

test('an endpoint whose first attempt hangs holds one trusted place, however much waits for it', async () => {
  const { inside, enter } = entrants(createLanes({ perEndpoint: 50, trusted: 3, suspect: 1 }));
  for (let n = 0; n < 100; n += 1) enter('hanging');
  for (let n = 0; n < 10; n += 1) enter('live');
  await turn();
  let served = 0;
  for (;;) {
    const at = inside.findIndex(({ key }) => key === 'live');
    if (at < 0) break;
    inside.splice(at, 1)[0]?.leave(true);
    served += 1;
    await turn();
  }
  expect(served).toBe(10);
  expect(inside.map(({ key }) => key)).toEqual(['hanging']);
});

test('places go round the endpoints in turn', async () => {
  const { inside, enter } = entrants(createLanes({ perEndpoint: 9, trusted: 1, suspect: 1 }));
  for (const key of ['a', 'a', 'a', 'b', 'b', 'c']) enter(key);
  await turn();
  const order = [];
  while (inside.length > 0) {
    const entered = inside.shift();
    order.push(entered?.key);
    entered?.leave(true);
    await turn();
  }
  expect(order.join('')).toBe('abcaba');
});

test('whoever stops waiting is passed over, and everything else goes on', async () => {
  const { inside, enter } = entrants(createLanes({ perEndpoint: 1, trusted: 1, suspect: 1 }));
  const controller = new AbortController();
  enter('a');
  enter('a', false, controller.signal);
  enter('a');
  enter('b', false, AbortSignal.abort());
  await turn();
  controller.abort();
  expect(inside).toHaveLength(1);
  inside.shift()?.leave(true);
  await turn();
  expect(inside).toHaveLength(1);
  inside.shift()?.leave(true);
  await turn();
  expect(inside).toHaveLength(0);
});
