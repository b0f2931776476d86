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
