import type { Role } from '../domain/records.ts';

/** Who calls. */
export interface Principal {
  readonly kind: 'key' | 'user';
  /** Id of the key, or the `sub` of the token. */
  readonly actor: string;
  readonly role: Role;
  readonly organization: string;
  readonly project: string;
  /** Of the organization: names its random streams. */
  readonly rngStream: number;
}
