/** What is checked besides `check`. */
export interface InvariantOptions {
  readonly effects?: boolean;
}
