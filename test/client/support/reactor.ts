import type { ClientOptions } from 'contentgen';

/** How the service reacts to one request. */
export interface Reaction {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Chunks of a body, each sent once the previous one has been read; then `ending`. */
  chunks?: readonly (string | Uint8Array)[];
  /** What follows the chunks: the end of the body, a lost connection or silence. */
  ending?: 'end' | 'drop' | 'stall';
  /** Instead of a response. */
  fault?: 'disconnect' | 'hang';
}

export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Service {
  baseUrl: string;
  fetch: NonNullable<ClientOptions['fetch']> | undefined;
  /** The requests so far. */
  seen: SeenRequest[];
  /** How many requests the client aborted. */
  ended: number;
  /** Sets the reactions, in order; the last one repeats. */
  script(...reactions: readonly (Reaction | ((request: SeenRequest) => Reaction))[]): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Takes the reactions of a test and returns them one by one. */
export function reactor() {
  let reactions: readonly (Reaction | ((request: SeenRequest) => Reaction))[] = [];
  let next = 0;
  return {
    script: (...list: typeof reactions) => {
      reactions = list;
      next = 0;
    },
    react: (request: SeenRequest): Reaction => {
      const reaction = reactions[Math.min(next, reactions.length - 1)];
      next += 1;
      if (!reaction) throw new Error('nothing scripted');
      return typeof reaction === 'function' ? reaction(request) : reaction;
    },
  };
}

export const bodyOf = ({ json, text }: Reaction) =>
  json === undefined ? (text ?? '') : JSON.stringify(json);
export const headersOf = (reaction: Reaction) => ({
  ...(reaction.json !== undefined && { 'content-type': 'application/json' }),
  ...reaction.headers,
});
