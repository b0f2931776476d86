import type { ClientOptions, ResolvedOptions } from '../options.ts';
import { isBrowser } from './runtime.ts';

export const quoted: Mistake = [/^\s*(["'`]).*\1\s*$/s, 'is in quotes. Remove them.'];

type Mistake = readonly [pattern: RegExp, sentence: string];

/** Strings that cannot be a credential: what each one is, and what to do. The value itself is never shown. */
const mistakes: readonly Mistake[] = [
  [/^\s*$/, 'is empty. Set the variable that it is read from.'],
  [
    /^\s*(undefined|null|\[object \w+\])\s*$/,
    'is the text undefined or null, or an object. Set the variable that it is built from.',
  ],
  quoted,
  [/^\s*Bearer\s/i, 'starts with Bearer. Pass only the token.'],
  [/^\s*[A-Z][A-Z0-9_]*=[^=]/, 'is a line of a .env file. Pass only what follows the equals sign.'],
  [/^\s*whsec_/, 'is a webhook signing secret. An API key starts with cg_live_ or cg_test_.'],
  [
    /…|\.\.\.$|^<.*>$|^(your|my)[\w -]*key$|^(change|replace)[-_ ]?me$|^x{3,}$/is,
    'is a placeholder. Put a key in its place.',
  ],
  [/^\s|\s$/, 'begins or ends with white space, such as a line break. Trim it.'],
  [/\s/, 'contains white space. Copy it again.'],
  [/[^!-~]/, 'contains a character that is not visible ASCII. Copy it again.'],
  [/^.{16385}/, 'has more than 16384 characters. Pass only the credential.'],
];

/** Why a string cannot be sent as a credential, as the rest of a sentence about it. */
export const credentialMistake = (text: string): string | undefined =>
  mistakes.find(([pattern]) => pattern.test(text))?.[1];

/** A base URL on loopback or under `.test`, which no visitor of a page has a service at. */
const onlyForTests =
  /^https?:\/\/((\w[\w.-]*\.)?localhost|127(\.\d{1,3}){3}|\[::1\]|(\w[\w-]*\.)+test)(?=[:/]|$)/i;

/** @throws TypeError without a credential, for two, and for an API key that visitors of a page could read */
export function sentCredential(options: ClientOptions): ResolvedOptions['credential'] {
  const { apiKey, accessToken, deployment, baseUrl = deployment?.json.baseUrl } = options;
  if (apiKey && accessToken) {
    throw new TypeError('Two credentials. Pass apiKey or accessToken, not both.');
  }
  // Without a base URL, which the environment might have, this is checked at the first call.
  const isPublic = baseUrl !== undefined && !onlyForTests.test(baseUrl);
  if (apiKey && isPublic && !options.dangerouslyAllowBrowser && isBrowser()) {
    throw new TypeError(
      'Visitors of a page can read its API key. Pass accessToken, or set dangerouslyAllowBrowser.',
    );
  }
  if (apiKey) return { header: 'x-api-key', prefix: '', value: apiKey };
  if (!accessToken) {
    throw new TypeError('No credential. Pass apiKey or accessToken, or set CONTENTGEN_API_KEY.');
  }
  const header = deployment?.accessTokenHeader ?? 'authorization';
  return { header, prefix: header === 'authorization' ? 'Bearer ' : '', value: accessToken };
}
