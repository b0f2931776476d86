/**
 * What faults can do: the names in `mock.faults`, the control API and the dashboard. The `chaos` of a simulation has the
 * same names for what it can do too.
 */
export const faultEffects = {
  operation: [
    // The operation does not run.
    'status',
    // It runs, and this happens before it, or to its response.
    'delay',
    'drop',
    'loseAnswer',
    'truncate',
    'cutStream',
    'stall',
    'malformed',
  ],
  delivery: [
    'drop',
    'delay',
    'reorder',
    'loseAnswer',
    'duplicate',
    'badSignature',
    'staleTimestamp',
  ],
} as const;

export type FaultEffect = (typeof faultEffects)[keyof typeof faultEffects][number];
