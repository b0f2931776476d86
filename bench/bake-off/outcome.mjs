import { existsSync } from 'node:fs';
import { startServer } from './server.mjs';

export const idempotencyKey = ({ headers }) => headers['idempotency-key'];
export const good = (text) => `✓ ${text}`;
export const bad = (text) => `✗ ${text}`;

/** Starts a server for one run and closes it afterwards. */
export async function withServer(react, run) {
  const server = await startServer(react);
  try {
    return await run(server);
  } finally {
    await server.close();
  }
}

/** An entry of this package: the build, or the source where there is none. */
export function importOurs(built, source) {
  const dist = new URL(`../../dist/${built}`, import.meta.url);
  return import(
    existsSync(dist) ? dist.href : new URL(`../../src/${source}`, import.meta.url).href
  );
}
