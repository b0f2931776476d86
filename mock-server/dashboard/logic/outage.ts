export interface Outage {
  /** What happened, as a sentence. */
  readonly what: string;
  /** What to do about it. */
  readonly advice: string;
}

/** Explains the status of the last try; `undefined` means that there was no response. */
export function outageOf(status: number | undefined): Outage {
  if (status === undefined) {
    return {
      what: 'The server is not responding.',
      advice: 'Check that contentgen mock is still running.',
    };
  }
  if (status === 401) {
    return { what: 'The server requires its control token.', advice: 'Ask whoever runs it.' };
  }
  if (status === 403) {
    return {
      what: 'The server rejects requests from this page (403).',
      advice: 'It might have been restarted without --expose-control.',
    };
  }
  if (status === 503) {
    return {
      what: 'The server is not ready (503).',
      advice: 'It might be starting up.',
    };
  }
  return {
    what: `The server responded with ${status}.`,
    advice: 'See its log.',
  };
}
