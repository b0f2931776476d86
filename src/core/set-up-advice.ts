/** What to do about a failed connection that a first call often meets. */
export function connectionAdvice(reason: string, scheme = '', host = '', text = ''): string {
  if (reason === 'refused' && isLocal(host))
    return ' Nothing listens there. For a mock, start it with npx contentgen mock.';
  if (reason === 'dns' && host.endsWith('.contentgen.test'))
    return ' Only a mock has this name: pass fetch: mock.fetch.';
  if (/WRONG_VERSION|PACKET_LENGTH|wrong version|InvalidContentType/i.test(text))
    return ' What listens there does not speak TLS: use http:// in baseUrl, or another port.';
  if (reason === 'corrupt' && scheme === 'http')
    return ' If it expects TLS, use https:// in baseUrl.';
  return '';
}

/** What to do about a key that a local server rejects. */
export const keyAdvice = (url: string): string =>
  isLocal(url)
    ? ' A mock has new keys after each start: copy one from its output, or create one with npx contentgen keys create.'
    : '';

/** What to do without any source of random numbers, as in Node 18. */
export function randomAdvice(): string {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  const node = process?.versions?.node;
  return node && Number.parseInt(node, 10) < 20
    ? `contentgen needs Node 20.19 or later; this is Node ${node}.`
    : 'Idempotency keys need crypto.getRandomValues. Import react-native-get-random-values first, or pass idempotencyKey.';
}

/** Whether a URL or its host is this machine. */
export const isLocal = (url: string): boolean =>
  /^(https?:\/\/)?(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])(:\d+)?(\/|$)/i.test(url);
