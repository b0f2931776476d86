/** What applies where nothing else is given. The help of `contentgen mock` shows it too. */
export const defaults = {
  /** Where the server listens. */
  port: 4010,
  host: '127.0.0.1',
  /** Tokens per organization and month. */
  quota: 1_000_000,
  /** Milliseconds that a generation takes on a real clock. */
  processingTime: { min: 300, max: 1500 },
  /** Milliseconds for which a streamed generation continues after its last reader has left. */
  streamGrace: 60_000,
  /** How many finished generations are kept. */
  generations: 100_000,
  /** Milliseconds that `advance` and `settle` wait for receivers and generators. */
  patience: 2_000,
  /** How many requests, events and deliveries the logs keep. */
  logLimit: 10_000,
  /** How many universes there can be at a time. */
  universes: 2_000,
  /** Milliseconds without a request after which a universe is closed. */
  universeIdleMs: 600_000,
} as const;
