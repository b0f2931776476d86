import { test } from 'vitest';
import {
  openBuiltDashboard,
  startServer,
  visit,
} from '../../test/mock-server/dashboard/harness.ts';

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test('the page on loopback: first contentful paint (target: 1 000 ms)', {
  timeout: 120_000,
}, async () => {
  const built = await openBuiltDashboard();
  const server = await startServer(built);
  const visited = await visit(built, server);
  const paints: number[] = [];
  for (let load = 0; load < 7; load += 1) {
    await visited.page.goto('about:blank');
    await visited.go('overview');
    paints.push(await visited.page.evaluate(firstPaint));
  }
  console.log(`dashboard: first contentful paint ${median(paints).toFixed(0)} ms (median of 7)`);
  await visited.close();
  await server.close();
  await built.close();
});

function firstPaint(): number {
  const [entry] = performance.getEntriesByName('first-contentful-paint');
  return entry?.startTime ?? Number.NaN;
}
