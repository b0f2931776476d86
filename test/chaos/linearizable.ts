/** A call that was made, with what it says about the state of one key. */
export interface Operation<State> {
  readonly start: number;
  /** When its response came; infinite if it was lost, so that the call happened at any later time or never. */
  readonly end: number;
  /** The states that the call can have left behind, given what it returned; none if it cannot have happened then. */
  after(state: State): readonly State[];
}

/**
 * Whether the calls, some of which ran at the same time, can have happened one after the other, each between its start
 * and its end: the algorithm of Wing and Gong, which tries each order and remembers where it has been.
 */
export function isLinearizable<State>(
  operations: readonly Operation<State>[],
  initial: State,
): boolean {
  const visited = new Set<string>();
  const search = (left: readonly number[], state: State): boolean => {
    const rest = left.map((index) => operations[index] as Operation<State>);
    const firstEnd = Math.min(...rest.map(({ end }) => end));
    if (firstEnd === Number.POSITIVE_INFINITY) return true;
    const place = JSON.stringify([left, state]);
    if (visited.has(place)) return false;
    visited.add(place);
    return rest.some((operation, at) => {
      if (operation.start > firstEnd) return false;
      const others = left.toSpliced(at, 1);
      return operation.after(state).some((next) => search(others, next));
    });
  };
  return search([...operations.keys()], initial);
}

/** What a call returned means `after`; undefined for a call whose response was lost. */
export type Seen<State> = Operation<State>['after'] | undefined;

/** The calls by key, as they are made. */
export class Recorder<State> {
  readonly histories = new Map<string, Operation<State>[]>();

  /** Makes a call and records it. `lost` is what it does if it happened without a response. */
  async record(
    key: string,
    call: () => Promise<Seen<State>>,
    lost: Operation<State>['after'],
  ): Promise<void> {
    const start = performance.now();
    const after = await call();
    const end = after ? performance.now() : Number.POSITIVE_INFINITY;
    const history = this.histories.get(key) ?? [];
    this.histories.set(key, [...history, { start, end, after: after ?? lost }]);
  }

  /** The keys whose calls cannot have happened one after the other. */
  violations(initial: State): string[] {
    return [...this.histories]
      .filter(([, history]) => !isLinearizable(history, initial))
      .map(([key]) => key);
  }
}
