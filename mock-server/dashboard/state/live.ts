import { batch, signal } from '@preact/signals';
import { followManualClock, setServerTime } from './clock.ts';
import { type LogEvent, origin, type RequestEntry, readClock } from './control.ts';
import { epoch, forgetToken, loadTenants } from './session.ts';

export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

export interface Activity {
  readonly events: readonly LogEvent[];
  readonly requests: readonly RequestEntry[];
}

type Listener = (activity: Activity) => void;

const listeners = new Set<Listener>();
let events: LogEvent[] = [];
let requests: RequestEntry[] = [];
let flushing: ReturnType<typeof setTimeout> | undefined;

/** Calls the listener with what happened, at most four times a second. Returns a function that stops it. */
export function onActivity(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Connects to the event stream, and reconnects when the server goes away. Each connection reloads everything: events
 * in between are lost, and a restarted server has a different state.
 */
export function startLive(delay = 200): void {
  const source = new EventSource(`${origin}/_control/events/stream`);
  let pause = delay;
  source.addEventListener('hello', () => {
    pause = 200;
    void reload();
  });
  source.addEventListener('message', ({ data }) => {
    events.push(JSON.parse(data) as LogEvent);
    schedule();
  });
  source.addEventListener('request', ({ data }) => {
    requests.push(JSON.parse(data) as RequestEntry);
    schedule();
  });
  source.addEventListener('error', () => {
    source.close();
    connection.value = connection.value === 'live' ? 'connecting' : 'lost';
    setTimeout(() => startLive(Math.min(pause * 2, 3000)), pause);
  });
}

async function reload(): Promise<void> {
  try {
    forgetToken();
    const [clock] = await Promise.all([readClock(), loadTenants()]);
    batch(() => {
      setServerTime(Date.parse(clock.now), clock.mode);
      epoch.value += 1;
      connection.value = 'live';
    });
  } catch {
    connection.value = 'lost';
  }
}

function schedule(): void {
  if (flushing !== undefined) return;
  flushing = setTimeout(() => {
    const activity = { events, requests };
    flushing = undefined;
    events = [];
    requests = [];
    const last = activity.events.at(-1);
    if (last) followManualClock(Date.parse(last.at));
    for (const listener of listeners) listener(activity);
  }, 250);
}
