import { useEffect, useRef, useState } from 'preact/hooks';
import { type Activity, onActivity } from '../state/live.ts';
import { view } from '../state/session.ts';

export interface Value<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

/**
 * Reads a value, and again after activity that changes it. Reads never overlap, and an old response never replaces a
 * newer one.
 */
export function useValue<T>(
  read: () => Promise<T>,
  touchedBy: (activity: Activity) => boolean = () => false,
  depends = '',
): Value<T> {
  const scope = `${view.value}:${depends}`;
  const [state, setState] = useState<{ scope: string; value?: T; error?: unknown }>({ scope });
  const latest = useRef({ read, touchedBy });
  latest.current = { read, touchedBy };
  const reload = useRef(() => {});

  useEffect(() => {
    let current = true;
    let busy = false;
    let again = false;
    const run = async (): Promise<void> => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      const next = await latest.current.read().then(
        (value) => ({ scope, value }),
        (error: unknown) => ({ scope, error }),
      );
      busy = false;
      if (!current) return;
      setState(next);
      if (again) {
        again = false;
        await run();
      }
    };
    reload.current = () => void run();
    void run();
    const stop = onActivity((activity) => {
      if (latest.current.touchedBy(activity)) void run();
    });
    return () => {
      current = false;
      stop();
    };
  }, [scope]);

  const mine = state.scope === scope;
  return {
    value: mine ? state.value : undefined,
    error: mine ? state.error : undefined,
    reload: () => reload.current(),
  };
}
