import type { Table } from './ports.ts';
import type { Job } from './records.ts';

/** Stored jobs that are not running, in the order in which they fall due. */
export interface JobQueue {
  /** The job that falls due next, as the store has it. */
  first(): Job | undefined;
  push(job: Job): void;
  shift(): void;
  /** Starts over with the jobs in the store. */
  reload(): void;
}

/** Entries beyond twice the stored jobs before the queue is rebuilt without canceled ones. */
const STALE_ENTRIES = 1000;

/**
 * A binary heap over the table of jobs. Entries whose job was canceled or rolled back stay in the heap until they
 * reach the top: only the store decides what exists.
 */
export function createJobQueue(jobs: Table<Job>, isRunning: (job: Job) => boolean): JobQueue {
  const heap: Job[] = [];

  function reload(): void {
    heap.length = 0;
    for (const job of jobs.oldest({ limit: Number.POSITIVE_INFINITY })) {
      if (!isRunning(job)) pushTo(heap, job);
    }
  }

  reload();
  return {
    first() {
      for (let [top] = heap; top; [top] = heap) {
        // Read again: after a rollback, another job can get the same id.
        const job = jobs.get(top.id);
        if (job && !isRunning(job)) return job;
        shiftFrom(heap);
      }
      return undefined;
    },
    push(job) {
      if (heap.length > 2 * jobs.count() + STALE_ENTRIES) reload();
      else pushTo(heap, job);
    },
    shift: () => shiftFrom(heap),
    reload,
  };
}

function isBefore(a: Job, b: Job): boolean {
  return a.at === b.at ? a.id < b.id : a.at < b.at;
}

function pushTo(heap: Job[], job: Job): void {
  let index = heap.length;
  heap.push(job);
  while (index > 0) {
    const parentIndex = (index - 1) >>> 1;
    const parent = heap[parentIndex] as Job;
    if (!isBefore(job, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = job;
}

function shiftFrom(heap: Job[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (let child = 1; child < heap.length; child = 2 * index + 1) {
    const right = heap[child + 1];
    if (right && isBefore(right, heap[child] as Job)) child += 1;
    const smaller = heap[child] as Job;
    if (isBefore(last, smaller)) break;
    heap[index] = smaller;
    index = child;
  }
  heap[index] = last;
}
