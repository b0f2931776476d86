type Log = typeof import('./log.ts');
type Event = 'attempted' | 'hookThrew';

/** Tells the log, which loads when there is something to write; where it cannot load, the line is lost and no more. */
export async function tell<Name extends Event>(
  event: Name,
  ...facts: Parameters<Log[Name]>
): Promise<void> {
  try {
    const log = await import('./log.ts');
    (log[event] as (...facts: unknown[]) => void)(...facts);
  } catch {}
}
