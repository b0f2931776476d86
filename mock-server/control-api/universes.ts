import type { UniverseOptions } from '../composition/options.ts';

/** A universe as the list shows it. */
export interface UniverseView {
  readonly id: string;
  /** Its base URL. */
  readonly url: string;
  readonly organization: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
}

/** A new universe. Its keys cannot be read again later. */
export interface UniverseAccess {
  /** Identifier of the universe. */
  readonly id: string;
  /** Its base URL for clients, and for its dashboard. */
  readonly url: string;
  /** Identifier of its organization. */
  readonly organization: string;
  /** Identifier of its project. */
  readonly project: string;
  /** The key with the role `admin` that was issued with the universe, even if it has been revoked since. */
  readonly adminKey: string;
  /** The key with the role `member` that was issued with the universe, even if it has been revoked since. */
  readonly memberKey: string;
  /**
   * The secret that signs result callbacks, as of the universe's creation. After a rotation, `access()` returns the
   * current one.
   */
  readonly signingSecret: string;
  /** Opens the control API and the dashboard of this universe only; absent without `--control-token`. */
  readonly controlToken?: string;
}

/** The universes of a server that listens on a socket. */
export interface Universes {
  create(options: UniverseOptions): UniverseAccess;
  list(): UniverseView[];
  /** Closes a universe and frees its memory. False if no universe has this id. */
  remove(id: string): Promise<boolean>;
}
