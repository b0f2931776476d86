import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fullTime } from './components/format.tsx';
import { RecordsPage, TrafficPage } from './pages/lists.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { TimePage } from './pages/time.tsx';
import { TryPage } from './pages/try.tsx';
import { clockMode, serverNow } from './state/clock.ts';
import { hasToken, origin, setToken, tokenNeeded } from './state/control.ts';
import { connect, connection, epoch } from './state/live.ts';
import { href, route } from './state/router.ts';

const pages: ReadonlyMap<string, readonly [name: string, view: ComponentType]> = new Map([
  ['overview', ['Overview', OverviewPage]],
  ['traffic', ['Traffic', TrafficPage]],
  ['records', ['Records', RecordsPage]],
  ['try', ['Try', TryPage]],
  ['time', ['Time and faults', TimePage]],
]);

export function App() {
  const [name, View] = pages.get(route.value.page) ?? ['Not found', NotFound];
  useEffect(() => {
    document.title = `${name} · ContentGen reference server`;
  }, [name]);
  return (
    <>
      <Top />
      <main>
        {connection.value === 'lost' && !tokenNeeded.value && <Outage />}
        {tokenNeeded.value ? <SignIn /> : epoch.value > 0 && <View />}
      </main>
    </>
  );
}

const TONES = { connecting: 'warn', live: 'good', lost: 'bad' } as const;

function Top() {
  return (
    <header class="top">
      <a class="brand" href={href('overview')}>
        <img src="./icon.svg" alt="" width="24" height="24" /> ContentGen
      </a>
      <nav aria-label="Pages">
        {[...pages].map(([page, [name]]) => (
          <a
            key={page}
            href={href(page)}
            aria-current={page === route.value.page ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <div class="context">
        <p>
          <time dateTime={new Date(serverNow.value).toISOString()}>
            {fullTime(serverNow.value)}
          </time>{' '}
          <small>{clockMode.value} clock</small>
        </p>
        <output class={TONES[connection.value]}>{connection.value}</output>
        {hasToken.value && (
          <button type="button" class="small" onClick={() => setToken(undefined)}>
            Forget the token
          </button>
        )}
        {origin === location.origin && <a href="./openapi.yaml">openapi.yaml</a>}
      </div>
    </header>
  );
}

function Outage() {
  return (
    <div role="alert" class="problem">
      <p>
        <strong>The server at {origin} does not respond.</strong> This is the last known state. The
        page connects again by itself.
      </p>
    </div>
  );
}

/** Asks for the control token, which this tab keeps. */
function SignIn() {
  const [typed, setTyped] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    setToken(typed.trim());
    connect();
  };
  return (
    <article class="sign-in">
      <h1>Control token</h1>
      <p>
        {hasToken.value
          ? 'The server did not accept the control token. It was started with another one.'
          : 'This server was started with a control token.'}
      </p>
      <form onSubmit={submit}>
        <label for="token">Control token</label>
        <input
          id="token"
          type="password"
          required
          pattern="[!-~]+"
          title="Visible ASCII characters without spaces"
          autocomplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit">Open</button>
        <small>This tab keeps it until it is closed, and sends it with every call.</small>
      </form>
    </article>
  );
}

function NotFound() {
  return (
    <>
      <h1 tabIndex={-1}>Page not found</h1>
      <a href={href('overview')}>Go to the overview</a>
    </>
  );
}
