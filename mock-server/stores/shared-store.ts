import type { Store } from '../domain/ports.ts';
import type { Organization, Project } from '../domain/records.ts';

/** A store that several processes share, such as `postgresStore(pool)`. One process is the leader and serves; the others are standbys. */
export interface SharedStore {
  /** Joins the processes that share the store. Each process joins once. */
  join(candidate: Candidate): Membership;
}

/** What a process does when the leader changes. */
export interface Candidate {
  /**
   * This process is the leader: `store` holds everything that was committed. If this throws, the process gives up the
   * leadership.
   */
  onLead(store: Store): void;
  /** This process is no longer the leader. Nothing it writes from now on is kept. */
  onDeposed(reason: Error): void;
  /** Another process is the leader. Called again when that changes. */
  onStandby(leader: LeaderFacts): void;
  /** The store cannot be reached or used; joining is retried. */
  onError(error: Error): void;
}

/** What a standby knows about the leader. */
export interface LeaderFacts {
  /** Its URL, once it has announced one. */
  readonly url?: string;
  /** The server's first organization and its first project, once they exist. */
  readonly home?: { readonly organization: Organization; readonly project: Project };
}

export interface Membership {
  /** Announces where the other processes can reach this one. */
  advertise(url: string): void;
  /** Commits pending changes, gives up the leadership and leaves. */
  close(): Promise<void>;
}

export const isShared = (store: Store | SharedStore): store is SharedStore => 'join' in store;
