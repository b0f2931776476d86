/** An option needs a package that is not installed. This has nothing to do with the seed. */
export class MissingPeerError extends TypeError {
  constructor(what: string, peer: string, cause: unknown) {
    super(`${what} needs ${peer}. Install it: npm install --save-dev ${peer}.`, { cause });
  }
}
