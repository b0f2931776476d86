import type { Failure } from './failure.ts';

// The client for browsers, React Native and Workers has this file in the place of some others: `partsForServers` in
// scripts/entries.ts names them. These runtimes say nothing about connections, take no API key by default and are not
// Node, and nothing in them depends on the clock.

const lost = 'The connection closed before the whole response arrived.';

/** The failure of a `fetch` that rejected. */
export function connectionFailure(cause: unknown, url: string): Failure {
  const [, host = ''] = /^\w+:\/\/([^/?#]*)/.exec(url) ?? [];
  const hint = `The connection to ${host} failed; see the error's cause.`;
  return { code: 'connection_failed', cause, hint };
}

/** The failure of a body that broke off. */
export const bodyFailure = (cause?: unknown): Failure => ({
  code: 'connection_failed',
  reason: 'reset',
  cause,
  hint: lost,
});

/** Why a string cannot be sent as a credential, as the rest of a sentence about it. */
export const credentialMistake = (text: string): string | undefined =>
  /^(?!undefined$|null$|Bearer$)[!-~]{1,16384}$/.test(text)
    ? undefined
    : 'must be 1 to 16384 visible ASCII characters, and not the text undefined or null.';

/** What to do about a rejected key: nothing, because these runtimes get access tokens. */
export const keyAdvice = (): string => '';

export const randomAdvice = (): string =>
  'Idempotency keys need crypto.getRandomValues. Import react-native-get-random-values first, or pass idempotencyKey.';

export const warnOfClock = (): void => {};
