import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon, type IconName } from './components/icon.tsx';
import { OutageBanner } from './components/outage-banner.tsx';
import { Topbar } from './components/topbar.tsx';
import { BillingPage } from './pages/billing.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { EventsPage } from './pages/events.tsx';
import { GeneratePage } from './pages/generate.tsx';
import { GenerationsPage } from './pages/generations.tsx';
import { KeysPage } from './pages/keys.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { RequestsPage } from './pages/requests.tsx';
import { TimePage } from './pages/time.tsx';
import { WebhooksPage } from './pages/webhooks.tsx';
import { href, route } from './router.ts';
import { home, origin } from './state/control.ts';
import { setTheme, type Theme, theme, themes } from './state/preferences.ts';
import { ready } from './state/session.ts';
import { toasts } from './state/toasts.ts';

interface Entry {
  readonly page: IconName;
  readonly name: string;
  readonly view: ComponentType;
}

const groups: readonly { readonly name: string; readonly entries: readonly Entry[] }[] = [
  {
    name: 'Service',
    entries: [
      { page: 'overview', name: 'Overview', view: OverviewPage },
      { page: 'generate', name: 'Generate', view: GeneratePage },
      { page: 'generations', name: 'Generations', view: GenerationsPage },
      { page: 'requests', name: 'Requests', view: RequestsPage },
    ],
  },
  {
    name: 'Account',
    entries: [
      { page: 'keys', name: 'API keys', view: KeysPage },
      { page: 'webhooks', name: 'Webhooks', view: WebhooksPage },
      { page: 'billing', name: 'Invoices', view: BillingPage },
    ],
  },
  {
    name: 'Delivery',
    entries: [
      { page: 'deliveries', name: 'Deliveries', view: DeliveriesPage },
      { page: 'events', name: 'Events', view: EventsPage },
    ],
  },
  {
    name: 'Control',
    entries: [{ page: 'time', name: 'Time and faults', view: TimePage }],
  },
];

const pages = new Map(groups.flatMap((group) => group.entries.map((entry) => [entry.page, entry])));

const menuOpen = signal(false);

export function App() {
  const entry = pages.get(route.value.page as IconName);
  const name = entry?.name ?? 'Not found';
  useEffect(() => {
    document.title = `${name} · ContentGen reference server`;
  }, [name]);
  const View = entry?.view ?? NotFound;
  return (
    <div class="shell">
      <button
        type="button"
        class="skip"
        onClick={() => document.querySelector<HTMLElement>('h1')?.focus()}
      >
        Skip to content
      </button>
      <Sidebar current={route.value.page} />
      <Topbar menu={menuOpen} />
      <main class="main">
        <OutageBanner />
        {ready.value ? <View /> : <p class="page muted">Connecting…</p>}
      </main>
      <output class="toasts" aria-live="polite">
        {toasts.value.map(({ id, text }) => (
          <span key={id} class="toast">
            {text}
          </span>
        ))}
      </output>
    </div>
  );
}

function Sidebar({ current }: { current: string }) {
  const open = menuOpen.value;
  return (
    <aside
      class="sidebar"
      id="menu"
      data-open={open || undefined}
      onKeyDown={(event) => {
        if (event.key === 'Escape') menuOpen.value = false;
      }}
    >
      <a class="brand" href={href('overview')}>
        <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" fill="#3e63dd" />
          <path
            d="M9 11h14M9 16h9M9 21h12"
            stroke="#fff"
            stroke-width="2.6"
            stroke-linecap="round"
          />
        </svg>
        <span>
          ContentGen
          <small>Reference server</small>
        </span>
      </a>
      <nav class="nav" aria-label="Pages">
        {groups.map((group) => (
          <div key={group.name}>
            <h2>{group.name}</h2>
            <ul>
              {group.entries.map(({ page, name }) => (
                <li key={page}>
                  <a
                    href={href(page)}
                    aria-current={page === current ? 'page' : undefined}
                    onClick={() => {
                      menuOpen.value = false;
                    }}
                  >
                    <Icon name={page} />
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <footer>
        <ThemeSwitch />
        {origin === home && (
          <a class="small" href={`${home}/openapi.yaml`}>
            openapi.yaml
          </a>
        )}
      </footer>
    </aside>
  );
}

function ThemeSwitch() {
  return (
    <label class="row small">
      <span class="muted">Theme</span>
      <select
        value={theme.value}
        onChange={(event) => setTheme(event.currentTarget.value as Theme)}
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function NotFound() {
  return (
    <div class="page">
      <h1 tabIndex={-1}>Page not found</h1>
      <p>
        <a href={href('overview')}>Go to the overview</a>
      </p>
    </div>
  );
}
