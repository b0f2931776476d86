import { ContentGen, isContentGenError } from '../../src/index.ts';
import { connectMock, type MockControl, MockControlError } from '../control-api/remote.ts';
import type { Terminal } from './terminal.ts';
import { CommandError, urlOf } from './usage.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4010';

/** What `--url` names, without a slash at its end. */
export function baseUrlOf(text: string): string {
  return urlOf('--url', text).href.replace(/\/+$/, '');
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return true;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  if (error instanceof MockControlError) return error.code === 'unreachable';
  return isContentGenError(error) && error.code === 'connection_failed';
}

/** Says in one line why a running server could not be used. */
function explained(url: string, error: unknown): unknown {
  if (isUnreachable(error)) {
    return new CommandError(
      `Nothing answers at ${url}. Start a server with contentgen mock, or name one with --url.`,
    );
  }
  if (error instanceof MockControlError && error.code === 'unexpected_answer') {
    return new CommandError(`${url} is no contentgen mock, or its control API is not open to you.`);
  }
  return error;
}

export interface Connection {
  readonly url: string;
  readonly control: MockControl;
  /** The public API, as an administrator of the first organization. */
  client(): Promise<ContentGen>;
}

/** A running server of this machine: its control API lets in without a key. */
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

/** Runs what needs a running server; a failure to reach it becomes one line. */
export async function withServer<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
  apiKey?: string,
): Promise<T> {
  try {
    return await work(connect(url, apiKey));
  } catch (error) {
    throw explained(url, error);
  }
}

/** One JSON document of everything that a page holds, or of anything else. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(JSON.stringify(value));
}
