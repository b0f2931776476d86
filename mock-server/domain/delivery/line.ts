/** A place in a line, to leave it by. */
export interface Place<T> {
  readonly value: T;
  before: Place<T>;
  after: Place<T>;
}

/** First in, first out, and out from anywhere, at the same small cost: a Set steps over all that has left it. */
export class Line<T> {
  readonly #end = {} as Place<T>;
  #length = 0;

  constructor() {
    this.#end.before = this.#end;
    this.#end.after = this.#end;
  }

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#end.after.value;
  }

  join(value: T): Place<T> {
    const { before } = this.#end;
    const place = { value, before, after: this.#end };
    before.after = place;
    this.#end.before = place;
    this.#length += 1;
    return place;
  }

  /** Once only. */
  leave(place: Place<T>): void {
    place.before.after = place.after;
    place.after.before = place.before;
    this.#length -= 1;
  }

  /** Takes off the first. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const { after } = this.#end;
    this.leave(after);
    return after.value;
  }
}
