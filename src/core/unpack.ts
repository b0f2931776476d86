import type { PackedKit } from './kit.ts';

/** Names the parts of the kit, where they are used: names of properties are what no minifier shortens. */
export function unpack([
  Call,
  GenerationFailedError,
  checkCallOptions,
  createRequester,
  createScope,
  parseJson,
  retryAfter,
  routes,
  send,
  toError,
  unexpected,
]: PackedKit) {
  return {
    Call,
    GenerationFailedError,
    checkCallOptions,
    createRequester,
    createScope,
    parseJson,
    retryAfter,
    routes,
    send,
    toError,
    unexpected,
  };
}

export type Kit = ReturnType<typeof unpack>;
