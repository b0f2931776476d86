interface Base {
  inherited: string;
}
/** Has a text. */
export interface Options<T extends { any: string }> extends Base {
  /** Has a text. */
  spoken: T;
  /** @default 1 */
  silent: number;
  /** Has a text. */
  range: {
    /** Has a text. */
    min: number;
    max: number;
  };
  absent?: never;
}
/** Has a text. */
export declare function call(options: { signal: AbortSignal }): void;
declare const hidden: 1;

export { hidden as Renamed };
