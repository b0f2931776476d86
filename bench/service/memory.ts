// Whether a server stays within a small heap: node --max-old-space-size=256 bench/service/memory.ts [requests] [bytes]
// Each prompt has that many bytes and each call its own idempotency key; every tenth call is a GET.
import { getHeapStatistics } from 'node:v8';
import { createMockServer } from '../../mock-server/index.ts';

const requests = Number(process.argv[2] ?? 1_000_000);
const bytes = Number(process.argv[3] ?? 100);

const mock = createMockServer({ clock: 'manual', seed: 1, quota: Number.MAX_SAFE_INTEGER });
const headers = { 'x-api-key': mock.adminKey, 'content-type': 'application/json' };
const prompt = 'x'.repeat(bytes);
const started = performance.now();
let most = 0;

for (let count = 1; count <= requests; count += 1) {
  const isRead = count % 10 === 0;
  const path = isRead ? '/api/usage' : '/api/ai/content/generate';
  const response = await mock.fetch(mock.baseUrl + path, {
    method: isRead ? 'GET' : 'POST',
    headers: isRead ? headers : { ...headers, 'idempotency-key': `key-${count}` },
    ...(!isRead && { body: JSON.stringify({ prompt: `${count} ${prompt}` }) }),
  });
  await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  if (count % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
}
const megabytes = (value: number) => Math.round(value / 1024 / 1024);
console.log(
  JSON.stringify({
    requests,
    bytes,
    limitMb: megabytes(getHeapStatistics().heap_size_limit),
    mostMb: megabytes(most),
    seconds: Math.round((performance.now() - started) / 1000),
  }),
);
await mock.close();
