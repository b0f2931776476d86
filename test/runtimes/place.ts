/** A kind of runtime; `node` and `commonjs` are Node 22.13 or later, with ES modules or with CommonJS. */
export type Kind =
  | 'node'
  | 'node-20'
  | 'commonjs'
  | 'commonjs-20'
  | 'bun'
  | 'deno'
  | 'workerd'
  | 'workerd-node'
  | 'edge'
  | 'chromium';

/** Where a test file runs besides the pinned Node, on which all of them run. */
export interface Place {
  /** @default everywhere */
  readonly on?: readonly Kind[];
  /** Why not elsewhere. */
  readonly because?: string;
  /** Why it must test what no entry exports, which it then takes from the sources. */
  readonly internals?: string;
  /** Claims, by the beginning of their names, that some runtimes cannot make. */
  readonly except?: readonly Exception[];
}

interface Exception {
  readonly claim: string;
  readonly on: readonly Kind[];
  readonly because: string;
}
