import { effect } from '@preact/signals';
import { render } from 'preact';
import '@picocss/pico/css/pico.fluid.classless.blue.min.css';
import './styles.css';
import { App } from './app.tsx';
import { startClock } from './state/clock.ts';
import { changes, epoch, startLive } from './state/live.ts';
import { route } from './state/router.ts';
import { loadProjects, loadServer } from './state/session.ts';

startClock();
startLive();
effect(() => {
  // A server that was restarted or reset has another clock and other keys.
  if (epoch.value > 0) void loadServer().catch(() => {});
});
effect(() => {
  if (epoch.value + changes.value > 0) void loadProjects().catch(() => {});
});

let page = route.peek().page;
effect(() => {
  if (route.value.page === page) return;
  page = route.value.page;
  requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus());
});

/** `/` goes to the filter, except in a field. */
addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey) return;
  if (target instanceof Element && target.closest('input, select, textarea')) return;
  const filter = document.querySelector<HTMLInputElement>('#filter');
  if (!filter) return;
  event.preventDefault();
  filter.select();
});

const root = document.getElementById('app');
if (root) render(<App />, root);
