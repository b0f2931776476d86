import { ContentGen, isContentGenError } from '../../src/index.ts';
import { defaults } from '../composition/defaults.ts';
import {
  connectMock,
  type MockControl,
  MockControlError,
} from '../control-api/client/connect-mock.ts';
import type { Deployment } from '../domain/deployment.ts';
import { option, optionOr } from './flags.ts';
import { baseUrl, visibleToken } from './values.ts';

/** Where `contentgen mock` listens by default. */
export const DEFAULT_URL = `http://${defaults.host}:${defaults.port}`;

/** The command failed: prints one line, exit code 1. */
export class CommandError extends Error {}

/** The flag of every command that talks to a running server. */
export const urlFlag = optionOr(DEFAULT_URL, 'URL', 'Base URL of the running server', baseUrl, {
  env: 'CONTENTGEN_BASE_URL',
});

/** The flag of every command that uses the control API. */
export const controlTokenFlag = option('TOKEN', 'Control token of the server', visibleToken, {
  env: 'CONTENTGEN_CONTROL_TOKEN',
});

/** The flags that say which server to use, and how to authenticate. */
export interface ConnectionFlags {
  readonly url: string;
  readonly 'control-token': string | undefined;
  readonly 'api-key'?: string | undefined;
  readonly deployment?: Deployment | undefined;
}

export interface Connection {
  readonly url: string;
  readonly control: MockControl;
  /** The public API, as an administrator of the first organization. */
  client(): Promise<ContentGen>;
}

/**
 * Calls `work` with a running server. Without an API key, its control API issues a token, but only to this machine or
 * to a caller with its control token.
 *
 * @throws CommandError if the server cannot be reached or rejects the call
 */
export async function withServer<T>(
  flags: ConnectionFlags,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await work(connect(flags));
  } catch (error) {
    throw explain(flags, error);
  }
}

function connect({
  url: given,
  'control-token': controlToken,
  'api-key': apiKey,
  deployment,
}: ConnectionFlags): Connection {
  const url = given === DEFAULT_URL ? (deployment?.json.baseUrl ?? given) : given;
  const control = connectMock(url, controlToken === undefined ? {} : { token: controlToken });
  return {
    url,
    control,
    async client() {
      const credential = apiKey
        ? { apiKey }
        : { accessToken: await control.issueToken({ role: 'admin', sub: 'usr_cli' }) };
      return new ContentGen({ baseUrl: url, logLevel: 'off', deployment, ...credential });
    },
  };
}

function explain({ url, 'control-token': controlToken }: ConnectionFlags, error: unknown): unknown {
  if (isUnreachable(error)) {
    return new CommandError(
      `Failed to connect to ${url}. Start a server with contentgen mock, or pass its URL with --url.`,
    );
  }
  if (error instanceof MockControlError && error.code === 'control_token_required') {
    return new CommandError(
      controlToken === undefined
        ? `${url} requires a control token. Pass it with --control-token or CONTENTGEN_CONTROL_TOKEN.`
        : `${url} does not accept this control token. Check --control-token and CONTENTGEN_CONTROL_TOKEN.`,
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
