import { effect } from '@preact/signals';
import { render } from 'preact';
import '@picocss/pico/css/pico.fluid.classless.blue.min.css';
import './styles.css';
import { App } from './app.tsx';
import { startClock } from './state/clock.ts';
import { epoch, startLive } from './state/live.ts';
import { route } from './state/router.ts';
import { loadServer } from './state/session.ts';

startClock();
startLive();
effect(() => {
  // A server that was restarted or reset has another clock and other keys.
  if (epoch.value > 0) void loadServer().catch(() => {});
});

let page = route.peek().page;
effect(() => {
  if (route.value.page === page) return;
  page = route.value.page;
  requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus());
});

const root = document.getElementById('app');
if (root) render(<App />, root);
