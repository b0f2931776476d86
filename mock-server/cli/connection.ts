import { ContentGen, isContentGenError } from '../../src/index.ts';
import { connectMock, type MockControl, MockControlError } from '../control-api/client.ts';
import { optionOr } from './flags.ts';
import { baseUrl } from './values.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4010';

/** The command could not do its work: one line, exit 1. */
export class CommandError extends Error {}

/** The flag of every command that talks to a running server. */
export const urlFlag = optionOr(DEFAULT_URL, 'URL', 'Base URL of the running server', baseUrl, {
  env: 'CONTENTGEN_BASE_URL',
});

export interface Connection {
  readonly url: string;
  readonly control: MockControl;
  /** The public API, as an administrator of the first organization. */
  client(): Promise<ContentGen>;
}

/**
 * Calls `work` with a running server. Without `apiKey`, its control API issues a token, which it does only for this
 * machine.
 *
 * @throws CommandError if the server cannot be reached.
 */
export async function withServer<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
  apiKey?: string,
): Promise<T> {
  try {
    return await work(connect(url, apiKey));
  } catch (error) {
    throw explain(url, error);
  }
}

function connect(url: string, apiKey?: string): Connection {
  const control = connectMock(url);
  return {
    url,
    control,
    async client() {
      const credential = apiKey
        ? { apiKey }
        : { accessToken: await control.issueToken({ role: 'admin', sub: 'usr_cli' }) };
      return new ContentGen({ baseUrl: url, logLevel: 'off', ...credential });
    },
  };
}

function explain(url: string, error: unknown): unknown {
  if (isUnreachable(error)) {
    return new CommandError(
      `Failed to connect to ${url}. Start a server with contentgen mock, or pass its URL with --url.`,
    );
  }
  if (error instanceof MockControlError && error.code === 'unexpected_response') {
    return new CommandError(
      `${url} is not a contentgen mock, or its control API is closed to this machine.`,
    );
  }
  return error;
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return true;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  if (error instanceof MockControlError) return error.code === 'unreachable';
  return isContentGenError(error) && error.code === 'connection_failed';
}
