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

/** What to do about an error status that a first call often gets. */
export function setUpAdvice(url: string, status = 0): string {
  if (status === 401 && isLocal(url)) {
    return ' A mock has new keys after each start: copy one from its output, or create one with npx contentgen keys create.';
  }
  const isDoubled = status === 404 && /\/api\/api\//.test(url);
  return isDoubled ? ' Remove /api from the end of baseUrl: every path begins with it.' : '';
}

/** Whether a URL or its host is this machine. */
export const isLocal = (url: string): boolean =>
  /^(https?:\/\/)?(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])(:\d+)?(\/|$)/i.test(url);
