/** The control API of a server; `url` is its base URL, with or without `/v2` or `/_control`. */
export function controlUrl(url: string | URL): string {
  const root = String(url)
    .replace(/\/+$/, '')
    .replace(/\/(?:_control|v2)$/, '');
  return `${root}/_control`;
}

/**
 * The header that authenticates to a server with a control token.
 *
 * @throws TypeError for a token that no header can carry
 */
export function controlHeaders(controlToken: string | undefined): Record<string, string> {
  if (controlToken === undefined) return {};
  if (typeof controlToken === 'string' && /^[\x21-\x7e]+$/.test(controlToken)) {
    return { authorization: `Bearer ${controlToken}` };
  }
  throw new TypeError(
    'Failed to connect: controlToken must be visible ASCII characters without spaces.',
  );
}
