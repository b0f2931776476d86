import { useEffect, useRef, useState } from 'preact/hooks';
import { changes, epoch } from './live.ts';

interface Live<T> {
  readonly value: T | undefined;
  readonly error: unknown;
}

/**
 * Reads a value again whenever something has happened, and when `key` changes. A read that is overtaken by a later one
 * is dropped; while reads are slow, each one that ends is shown.
 */
export function useLive<T>(key: string, read: () => Promise<T>, on = changes): Live<T> {
  const [live, setLive] = useState<Live<T> & { readonly key: string }>();
  const shown = useRef({ key, turn: 0 });
  const turn = on.value;
  const connection = epoch.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what `read` depends on
  useEffect(() => {
    const mine = turn + connection;
    if (shown.current.key !== key) shown.current = { key, turn: 0 };
    const show = (next: Partial<Live<T>>) => {
      const latest = shown.current;
      if (latest.key !== key || latest.turn > mine) return;
      latest.turn = mine;
      setLive((before) => ({
        key,
        value: before?.key === key ? before.value : undefined,
        error: undefined,
        ...next,
      }));
    };
    read().then(
      (value) => show({ value }),
      (error: unknown) => show({ error }),
    );
  }, [key, turn, connection]);
  return live?.key === key ? live : { value: undefined, error: undefined };
}
