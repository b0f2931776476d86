import { useEffect, useState } from 'preact/hooks';
import { type Happenings, onHappenings } from '../state/live.ts';
import { view } from '../state/session.ts';

export interface Value<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

/** One thing that is read, and read anew when something touched it. An old answer never wins over a newer one. */
export function useValue<T>(
  read: () => Promise<T>,
  touchedBy: (happenings: Happenings) => boolean = () => false,
  depends = '',
): Value<T> {
  const scope = `${view.value}:${depends}`;
  const [state, setState] = useState<{ scope: string; value?: T; error?: unknown }>({ scope });
  const [turn, setTurn] = useState(0);
  const reload = () => setTurn((last) => last + 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `scope` and `turn` say when to read
  useEffect(() => {
    let current = true;
    read().then(
      (value) => current && setState({ scope, value }),
      (error: unknown) => current && setState({ scope, error }),
    );
    return () => {
      current = false;
    };
  }, [scope, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one listener a scope
  useEffect(
    () =>
      onHappenings((happenings) => {
        if (touchedBy(happenings)) reload();
      }),
    [scope],
  );
  const mine = state.scope === scope;
  return { value: mine ? state.value : undefined, error: mine ? state.error : undefined, reload };
}
