type On = (event: string, listener: (value: never) => void) => unknown;

const heard = /*@__PURE__*/ new WeakSet<object>();

/**
 * Listens to the errors of a client that was handed over: without a listener, a lost connection ends the Node process.
 * It logs nothing, because what fails for lack of the connection is reported where it fails.
 */
export function surviveErrors(client: unknown): void {
  const { on } = Object(client) as { on?: On };
  if (typeof on !== 'function' || heard.has(client as object)) return;
  heard.add(client as object);
  on.call(client, 'error', () => {});
}

/** The same for a pool of pg, whose connections have errors of their own while they are lent. */
export function surviveErrorsOfPool(pool: unknown): void {
  const { on } = Object(pool) as { on?: On };
  if (typeof on !== 'function' || heard.has(pool as object)) return;
  surviveErrors(pool);
  on.call(pool, 'connect', surviveErrors);
}
