import type { Failure } from './failure.ts';

// In place of connection-failure.ts and credential.ts where a runtime says nothing about connections and takes no API
// key by default: in browsers, React Native and Workers. The build for these conditions replaces the imports.

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
