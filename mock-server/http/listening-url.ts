/** Where a listener can be called: what stands for every address is no destination (RFC 1122, 3.2.1.3). */
export function listeningUrl(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
