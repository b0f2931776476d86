import type { Server } from 'node:http';
import { realTimers } from '../real-timers.ts';

const SWEEP_MS = 50;

/** Rejects with the system's error, for instance `EADDRINUSE`. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Stops accepting requests, lets those in flight finish, and ends the connections that are left after `graceMs`. */
export function stopListening(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const end = realTimers.setTimeout(() => server.closeAllConnections(), graceMs);
    // A kept-alive connection is idle only once its response has gone out, so the sweep closes those that end later.
    const sweep = realTimers.setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.close(() => {
      realTimers.clearTimeout(end);
      realTimers.clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
    server.on('request', (_, response) => response.setHeader('connection', 'close'));
  });
}

/**
 * The base URL of a listener. An address that means "every address" cannot be connected to (RFC 1122, 3.2.1.3), so
 * loopback replaces it.
 */
export function listeningUrl(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
