/** What the fake timers need from Node's `util`, for every runtime. */
export const promisify = { custom: Symbol.for('nodejs.util.promisify.custom') };
