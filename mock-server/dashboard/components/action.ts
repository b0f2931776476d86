import { useState } from 'preact/hooks';
import { say } from '../state/toasts.ts';

export interface Action<Input extends unknown[]> {
  readonly run: (...input: Input) => Promise<boolean>;
  readonly busy: boolean;
  readonly error: unknown;
  readonly clear: () => void;
}

/** Work that a person started: busy meanwhile, its failure kept for showing, its success said. */
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
      if (done !== undefined) say(done);
      return true;
    } catch (cause) {
      setError(cause);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error, clear: () => setError(undefined) };
}
