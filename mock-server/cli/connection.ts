import { ContentGen, isContentGenError } from '../../src/index.ts';
import {
  connectMock,
  type MockControl,
  MockControlError,
} from '../control-api/client/connect-mock.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { Address } from './address.ts';
import { option } from './flags.ts';
import { visibleToken } from './values.ts';

/** The command failed: prints one line, exit code 1. */
export class CommandError extends Error {}

export const controlTokenFlag = option('TOKEN', 'Control token of the server', visibleToken, {
  env: 'CONTENTGEN_CONTROL_TOKEN',
});

export interface ConnectionFlags {
  readonly 'control-token': string | undefined;
  readonly 'api-key'?: string | undefined;
  readonly deployment?: Deployment | undefined;
}

export interface Connection {
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
  { url }: Address,
  flags: ConnectionFlags,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await work(connect(url, flags));
  } catch (error) {
    throw explain(url, flags, error);
  }
}

function connect(
  url: string,
  { 'control-token': controlToken, 'api-key': apiKey, deployment }: ConnectionFlags,
): Connection {
  const control = connectMock(url, controlToken === undefined ? {} : { token: controlToken });
  return {
    control,
    async client() {
      const credential = apiKey
        ? { apiKey }
        : { accessToken: await control.issueToken({ role: 'admin', sub: 'usr_cli' }) };
      return new ContentGen({ baseUrl: url, logLevel: 'off', deployment, ...credential });
    },
  };
}

function explain(
  url: string,
  { 'control-token': controlToken }: ConnectionFlags,
  error: unknown,
): unknown {
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
