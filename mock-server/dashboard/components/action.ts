import { useState } from 'preact/hooks';
import { showToast } from '../state/toasts.ts';

export interface Action<Input extends unknown[]> {
  readonly run: (...input: Input) => Promise<boolean>;
  readonly busy: boolean;
  readonly error: unknown;
}

/** Work started by the user. `work` resolves to the text of a toast, if any; a failure is kept in `error`. */
export function useAction<Input extends unknown[]>(
  work: (...input: Input) => Promise<string | undefined>,
): Action<Input> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const run = async (...input: Input) => {
    setBusy(true);
    setError(undefined);
    try {
      const done = await work(...input);
      if (done !== undefined) showToast(done);
      return true;
    } catch (cause) {
      setError(cause);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error };
}
