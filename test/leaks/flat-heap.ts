/** A program of its own: `node --expose-gc <program> <count>` prints what the work leaves behind on the heap. */
export interface HeapGrowth {
  readonly count: number;
  /** Bytes that are alive after `count` runs and were not after the warm-up. */
  readonly grown: number;
}

/** Compiled code and caches grow at first: they are no leak. */
const warmUpShare = 0.5;

export async function reportGrowth(work: (index: number) => Promise<unknown>): Promise<void> {
  const count = Number(process.argv[2]);
  const warmUp = Math.ceil(count * warmUpShare);
  for (let i = 0; i < warmUp; i += 1) await work(i);
  const before = await settledHeap();
  for (let i = 0; i < count; i += 1) await work(warmUp + i);
  const grown = (await settledHeap()) - before;
  process.stdout.write(`${JSON.stringify({ count, grown } satisfies HeapGrowth)}\n`);
}

async function settledHeap(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error('Run it with --expose-gc.');
  for (let i = 0; i < 6; i += 1) {
    // What only promises and finalizers hold goes a turn later.
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
  return process.memoryUsage().heapUsed;
}
