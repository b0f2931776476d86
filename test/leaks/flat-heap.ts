/** `node --expose-gc <program> <count>` prints how much the work grew the heap. */
export interface HeapGrowth {
  readonly count: number;
  /** Heap bytes in use after `count` runs, minus those in use after the warm-up. */
  readonly grown: number;
}

/** Compiled code and caches grow at first, which is not a leak. */
const warmUpShare = 0.5;

/** Runs the work as often as the command line says and prints how much the heap has grown. */
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
  if (!gc) throw new Error('Start node with --expose-gc.');
  for (let i = 0; i < 6; i += 1) {
    // Objects held only by promises or finalizers are freed one turn later.
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
  return process.memoryUsage().heapUsed;
}
