/** What applies where nothing else is given. The help of `contentgen mock` shows it too. */
export const defaults = {
  baseUrl: 'https://api.contentgen.test',
  start: '2026-01-01T00:00:00Z',
  port: 4010,
  host: '127.0.0.1',
  /** Tokens per organization and month. */
  quota: 1_000_000,
  /** Milliseconds that a generation takes on a real clock. */
  processingTime: { min: 300, max: 1500 },
  /** Milliseconds for which a streamed generation continues after its last reader has left. */
  streamGrace: 60_000,
  generations: 100_000,
  /** Bytes that finished generations, deliveries and the logs can take in memory together. */
  historyBytes: 64 * 1024 * 1024,
  /** Milliseconds that `advance` and `settle` wait for receivers and generators. */
  patience: 2_000,
  logLimit: 10_000,
} as const;
