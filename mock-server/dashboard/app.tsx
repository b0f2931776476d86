import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { fullTime } from './components/format.tsx';
import { SignIn } from './components/sign-in.tsx';
import { RecordsPage, TrafficPage } from './pages/lists.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { TimePage } from './pages/time.tsx';
import { TryPage } from './pages/try.tsx';
import { clockMode, serverNow } from './state/clock.ts';
import { hasToken, origin, setToken, tokenNeeded } from './state/control.ts';
import { connect, connection, epoch } from './state/live.ts';
import { href, route } from './state/router.ts';
import { organization, projects } from './state/session.ts';

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
        {tokenNeeded.value ? <SignIn rejected={hasToken.value} /> : epoch.value > 0 && <View />}
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
        <Organizations />
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
        <Theme />
        {origin === location.origin && <a href="./openapi.yaml">openapi.yaml</a>}
      </div>
    </header>
  );
}

function Organizations() {
  const ids = [...new Set(projects.value.map((project) => project.organization))];
  if (ids.length < 2) return null;
  return (
    <select
      aria-label="Organization"
      value={organization.value ?? ''}
      onChange={({ currentTarget: { value } }) => {
        organization.value = value || undefined;
      }}
    >
      <option value="">All organizations</option>
      {ids.map((id, index) => (
        <option key={id} value={id}>
          {index + 1}: {id}
        </option>
      ))}
    </select>
  );
}

const THEME = 'contentgen-theme';
const dark = signal(matchMedia('(prefers-color-scheme: dark)').matches);
const show = (theme: string) => {
  dark.value = theme === 'dark';
  document.documentElement.dataset['theme'] = theme;
};
try {
  const chosen = localStorage.getItem(THEME);
  if (chosen) show(chosen);
} catch {
  // Without storage, the theme lasts until the page is reloaded.
}

/** Begins with what was chosen last, or what the system prefers. */
function Theme() {
  const next = dark.value ? 'light' : 'dark';
  return (
    <button
      type="button"
      class="small"
      onClick={() => {
        show(next);
        try {
          localStorage.setItem(THEME, next);
        } catch {
          // As above.
        }
      }}
    >
      {next === 'dark' ? 'Dark' : 'Light'}
    </button>
  );
}

function Outage() {
  return (
    <div role="alert" class="problem">
      <p>
        <strong>The server at {origin} does not respond.</strong> This is the last known state. The
        page connects again by itself.
      </p>
      <button type="button" class="small" onClick={connect}>
        Retry now
      </button>
    </div>
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
