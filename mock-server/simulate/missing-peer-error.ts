/** A package that an option needs is not installed: no seed is to blame. */
export class MissingPeerError extends TypeError {
  constructor(what: string, peer: string, cause: unknown) {
    super(`${what} needs ${peer}. Install it: npm install --save-dev ${peer}.`, { cause });
  }
}
