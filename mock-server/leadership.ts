/** The part of a process among those that share a store. */
export interface Leadership {
  /** Whether this process serves; otherwise it stands by. */
  readonly leading: boolean;
  /** Where the leader can be reached, as it says itself; undefined while nobody leads. */
  readonly leaderUrl: string | undefined;
  /** Says where the other processes can reach this one. `serve` does so. */
  advertise(url: string): void;
  /** Resolves once it is known who leads, or after `ms`. */
  known(ms: number): Promise<void>;
  /** Calls a listener whenever another process leads than before. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}
