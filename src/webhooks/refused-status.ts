const statuses: Partial<Record<string, number>> = {
  body_already_parsed: 500,
  body_too_large: 413,
  unsupported_encoding: 415,
};

/** The status that answers a refusal. */
export const refusedStatus = (code: string): number => statuses[code] ?? 400;
