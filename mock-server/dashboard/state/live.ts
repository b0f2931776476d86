import { batch, signal } from '@preact/signals';
import { type Outage, outageOf } from '../logic/outage.ts';
import { currentTime, followManualClock, setServerTime, stopClock } from './clock.ts';
import { type LogEvent, origin, type RequestEntry, readClock } from './control.ts';
import { epoch, forgetToken, loadTenants } from './session.ts';

export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

/** Why the server does not respond, since when (on its clock), and when the next try is (on this machine's). */
export const outage = signal<(Outage & { readonly since: number }) | undefined>(undefined);

export interface Activity {
  readonly events: readonly LogEvent[];
  readonly requests: readonly RequestEntry[];
}

type Listener = (activity: Activity) => void;

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
/** The server pings every 15 s: after twice that, the connection is dead, even if it looks open. */
const SILENCE_MS = 35_000;
/** How long a new connection has to say hello. */
const CONNECT_MS = 10_000;

const listeners = new Set<Listener>();
let events: LogEvent[] = [];
let requests: RequestEntry[] = [];
let flushing: ReturnType<typeof setTimeout> | undefined;
let retrying: ReturnType<typeof setTimeout> | undefined;
let pause = FIRST_PAUSE_MS;
let current: EventSource | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;
/** When the server last said something, on its clock. */
let heardAt = 0;
/** The same, once it has been silent for too long. */
let silentSince: number | undefined;

/** Calls the listener with what happened, at most four times a second. Returns a function that stops it. */
export function onActivity(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Connects to the event stream, and reconnects when the server goes away or falls silent. Each connection reloads
 * everything: events in between are lost, and a restarted server has a different state.
 */
export function startLive(): void {
  disconnect();
  clearTimeout(retrying);
  const source = new EventSource(`${origin}/_control/stream`);
  current = source;
  silence = setTimeout(fail, CONNECT_MS);
  source.addEventListener('hello', () => {
    heard();
    pause = FIRST_PAUSE_MS;
    void reload();
  });
  source.addEventListener('ping', heard);
  source.addEventListener('event', ({ data }) => {
    heard();
    events.push(JSON.parse(data) as LogEvent);
    schedule();
  });
  source.addEventListener('request', ({ data }) => {
    heard();
    requests.push(JSON.parse(data) as RequestEntry);
    schedule();
  });
  source.addEventListener('error', fail);
}

function heard(): void {
  clearTimeout(silence);
  silence = setTimeout(() => {
    silentSince = heardAt;
    fail();
  }, SILENCE_MS);
  heardAt = currentTime();
  silentSince = undefined;
}

function disconnect(): void {
  clearTimeout(silence);
  current?.close();
  current = undefined;
}

/** The connection broke, fell silent, or could not be made. */
function fail(): void {
  disconnect();
  if (connection.value === 'live') {
    // A reset ends the stream too: the server is back at once.
    connection.value = 'connecting';
    retrying = setTimeout(startLive, pause);
    return;
  }
  void lose();
}

/** Tries again at once. */
export function retryNow(): void {
  pause = FIRST_PAUSE_MS;
  startLive();
}

/** Finds out why the stream failed, says so, and tries again later. */
async function lose(): Promise<void> {
  pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  clearTimeout(retrying);
  retrying = setTimeout(startLive, pause);
  stopClock();
  const since = outage.peek()?.since ?? silentSince ?? currentTime();
  const cause = await readClock().then(
    () => undefined,
    (error: { status?: number }) => error,
  );
  if (connection.peek() === 'live') return;
  batch(() => {
    connection.value = 'lost';
    outage.value = { ...outageOf(cause?.status || undefined), since };
  });
}

async function reload(): Promise<void> {
  try {
    forgetToken();
    const [clock] = await Promise.all([readClock(), loadTenants()]);
    batch(() => {
      setServerTime(Date.parse(clock.now), clock.mode);
      heardAt = currentTime();
      epoch.value += 1;
      connection.value = 'live';
      outage.value = undefined;
    });
  } catch {
    await lose();
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
