import { signal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { followTime, setTime } from './clock.ts';
import { controlFetch, origin, tokenNeeded } from './control.ts';

/** `lost` once a connection could not be made or broke. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

/** Counts what has happened; whoever shows something reads it again when this changes. */
export const changes = signal(0);

/** Counts the connections: a server that was restarted or reset has other records, keys and secrets. */
export const epoch = signal(0);

const RETRY_MS = 500;
/** The server pings every 15 s: after more than twice that, the connection is dead, even if it looks open. */
const SILENCE_MS = 35_000;
const CHECK_MS = 5000;
/** However much happens, lists are read this often at most. */
const QUIET_MS = 500;

let current: AbortController | undefined;
let heardAt = Date.now();
let pending: ReturnType<typeof setTimeout> | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Follows the server's stream, and reconnects when the server goes away, falls silent or this machine slept. */
export function startLive(): void {
  setInterval(reconnectIfSilent, CHECK_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    reconnectIfSilent();
    announce();
  });
  connect();
}

export function connect(): void {
  clearTimeout(waiting);
  current?.abort();
  current = new AbortController();
  heardAt = Date.now();
  const { signal } = current;
  void follow(signal).then(
    () => lose(signal),
    () => lose(signal),
  );
}

function reconnectIfSilent(): void {
  if (tokenNeeded.peek() || Date.now() - heardAt < SILENCE_MS) return;
  connection.value = 'lost';
  connect();
}

function lose(signal: AbortSignal): void {
  if (signal.aborted) return;
  // A reset ends the stream too, and the server is back at once.
  connection.value = connection.peek() === 'live' ? 'connecting' : 'lost';
  if (!tokenNeeded.peek()) waiting = setTimeout(connect, RETRY_MS);
}

async function follow(signal: AbortSignal): Promise<void> {
  const headers = { accept: 'text/event-stream' };
  const response = await controlFetch(`${origin}/_control/stream`, { headers, signal });
  if (!response.ok || !response.body) return;
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done || signal.aborted) return;
    heard(value.event ?? 'message', JSON.parse(value.data));
  }
}

interface Said {
  readonly at?: string;
  readonly now?: string;
}

function heard(event: string, { at, now }: Said): void {
  heardAt = Date.now();
  if (event === 'ping') return;
  if (event === 'hello') {
    connection.value = 'live';
    tokenNeeded.value = false;
    epoch.value += 1;
  }
  if (now) setTime(now);
  else if (at) followTime(at);
  if (pending === undefined) pending = setTimeout(announce, QUIET_MS);
}

/** A page in the background reads nothing until it is looked at again. */
function announce(): void {
  pending = undefined;
  if (!document.hidden) changes.value += 1;
}
