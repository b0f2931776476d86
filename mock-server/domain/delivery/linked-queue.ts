/** A handle to an entry of a queue, for removing it. */
export interface QueueNode<T> {
  readonly value: T;
  previous: QueueNode<T>;
  next: QueueNode<T>;
}

/**
 * First in, first out, with removal from anywhere in constant time. (A Set would do, but finding its first entry takes
 * time proportional to the entries removed before it.)
 */
export class LinkedQueue<T> {
  /** Closes the ring: the first entry follows it, the last one precedes it. */
  readonly #end = {} as QueueNode<T>;
  #length = 0;

  constructor() {
    this.#end.previous = this.#end;
    this.#end.next = this.#end;
  }

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#end.next.value;
  }

  get last(): T | undefined {
    return this.#end.previous.value;
  }

  push(value: T): QueueNode<T> {
    const { previous } = this.#end;
    const node = { value, previous, next: this.#end };
    previous.next = node;
    this.#end.previous = node;
    this.#length += 1;
    return node;
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const { next } = this.#end;
    this.remove(next);
    return next.value;
  }

  /** A node can be removed only once. */
  remove(node: QueueNode<T>): void {
    node.previous.next = node.next;
    node.next.previous = node.previous;
    this.#length -= 1;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let node = this.#end.next; node !== this.#end; node = node.next) yield node.value;
  }
}
