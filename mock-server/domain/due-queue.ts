import type { Job } from './records.ts';

/** Jobs in the order in which they fall due. */
export interface DueQueue {
  readonly size: number;
  push(job: Job): void;
  first(): Job | undefined;
  shift(): void;
  clear(): void;
}

function isBefore(a: Job, b: Job): boolean {
  return a.at === b.at ? a.id < b.id : a.at < b.at;
}

/** A binary heap: what is due next lies first, and jobs that come in order stay where they are put. */
export function createDueQueue(): DueQueue {
  const heap: Job[] = [];

  function sink(job: Job): void {
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as Job)) child += 1;
      const least = heap[child] as Job;
      if (isBefore(job, least)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = job;
  }

  return {
    get size() {
      return heap.length;
    },
    push(job) {
      let at = heap.length;
      heap.push(job);
      while (at > 0) {
        const parent = (at - 1) >>> 1;
        const above = heap[parent] as Job;
        if (!isBefore(job, above)) break;
        heap[at] = above;
        at = parent;
      }
      heap[at] = job;
    },
    first: () => heap[0],
    shift() {
      const last = heap.pop();
      if (last && heap.length > 0) sink(last);
    },
    clear() {
      heap.length = 0;
    },
  };
}
