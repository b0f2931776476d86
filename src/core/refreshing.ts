import type { Credential, CredentialState } from '../options.ts';
import { elapsed, setTimer } from '../platform/driver.ts';

/** A refresh that takes longer is given up: in Workers, one whose request was canceled never ends. */
const LONGEST_REFRESH_MS = 30_000;
const LOOK_MS = 10;

interface Refresh {
  readonly startedAt: number;
  failure?: { readonly error: unknown };
}

/**
 * A credential for many calls: `mint` is called for the first one, and again when the service rejects the token as
 * expired. Only one refresh runs at a time, nothing is refreshed twice, and calls that were sent with the old token are
 * repeated with the new one. For one tenant: calls share the token.
 * @example const client = new ContentGen({ accessToken: refreshing(async () => (await signIn()).token) });
 */
export function refreshing(
  mint: (state: CredentialState) => string | Promise<string>,
): Exclude<Credential, string> {
  let current: string | undefined;
  let running: Refresh | undefined;

  async function refresh(state: CredentialState): Promise<string> {
    const own: Refresh = { startedAt: elapsed() };
    running = own;
    try {
      const minted = await mint(state);
      if (running === own) current = minted;
      return minted;
    } catch (error) {
      own.failure = { error };
      throw error;
    } finally {
      if (running === own) running = undefined;
    }
  }

  return async (state) => {
    for (;;) {
      if (current !== undefined && current !== state.rejected) return current;
      const other = running;
      if (!other || elapsed() - other.startedAt > LONGEST_REFRESH_MS) return refresh(state);
      // Its promise is not awaited: in Workers, one call must not wait for another's.
      await new Promise<void>((resolve) => void setTimer(resolve, LOOK_MS));
      if (other.failure) throw other.failure.error;
    }
  };
}
