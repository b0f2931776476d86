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
