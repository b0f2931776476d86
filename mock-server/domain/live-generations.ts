/** Reads a generation while it runs. */
export interface Follower {
  /** There is another piece, or the generation has ended. */
  changed(): void;
  /** Its end cannot be written, so nothing more will come. */
  fail(error: unknown): void;
}

interface Live {
  readonly pieces: string[];
  readonly followers: Set<Follower>;
  isRunning: boolean;
  wasFollowed: boolean;
  /** Cancels the timer that ends it because nobody follows. */
  stopTimer: () => void;
}

export type LiveGenerations = ReturnType<typeof createLiveGenerations>;

/** The generations that run in this process, or that somebody waits for. Kept only in memory. */
export function createLiveGenerations() {
  const all = new Map<string, Live>();

  function open(id: string): Live {
    let live = all.get(id);
    if (!live) {
      live = {
        pieces: [],
        followers: new Set(),
        isRunning: false,
        wasFollowed: false,
        stopTimer() {},
      };
      all.set(id, live);
    }
    return live;
  }

  function forget(id: string, { isRunning, followers }: Live): void {
    if (!isRunning && followers.size === 0) all.delete(id);
  }

  const followersOf = (id: string): Iterable<Follower> => all.get(id)?.followers ?? [];

  function changed(id: string): void {
    for (const follower of followersOf(id)) follower.changed();
  }

  return {
    /** The prompts of generations that have not ended, by their id, where prompts are not stored. */
    prompts: new Map<string, string>(),
    /** The text that a generation has generated so far; `undefined` if it is not running here. */
    text(id: string): string | undefined {
      const live = all.get(id);
      return live?.isRunning ? live.pieces.join('') : undefined;
    },
    pieces: (id: string): readonly string[] => all.get(id)?.pieces ?? [],
    /** Returns what adds to its text. */
    start(id: string) {
      const live = open(id);
      live.isRunning = true;
      return {
        isFollowed: () => live.followers.size > 0,
        add(piece: string): void {
          live.pieces.push(piece);
          // Most texts have no follower, and all have many pieces.
          if (live.followers.size === 0) return;
          for (const follower of live.followers) follower.changed();
        },
      };
    },
    /** Returns the lengths of the pieces if anybody has seen them one by one. Call `changed` once the end is written. */
    end(id: string): readonly number[] | undefined {
      const live = all.get(id);
      if (!live) return undefined;
      live.isRunning = false;
      live.stopTimer();
      forget(id, live);
      return live.wasFollowed ? live.pieces.map(({ length }) => length) : undefined;
    },
    changed,
    /** Tells the followers that nothing more will come. */
    fail(id: string, error: unknown): void {
      for (const follower of followersOf(id)) follower.fail(error);
    },
    follow(id: string, follower: Follower): void {
      const live = open(id);
      live.followers.add(follower);
      live.wasFollowed = true;
      live.stopTimer();
    },
    leave(id: string, follower: Follower): number {
      const live = open(id);
      live.followers.delete(follower);
      forget(id, live);
      return live.followers.size;
    },
    followers: (id: string): number => all.get(id)?.followers.size ?? 0,
    /** Keeps what cancels a timer, and calls it when somebody follows or the generation ends. */
    whileUnread(id: string, stopTimer: () => void): void {
      open(id).stopTimer = stopTimer;
    },
  };
}
