import { render } from 'preact';
import { App } from './app.tsx';
import { startRouter } from './router.ts';
import { startClock } from './state/clock.ts';
import { startLive } from './state/live.ts';
import { applyTheme } from './state/preferences.ts';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/tables.css';
import './styles/pages.css';

applyTheme();
startRouter(() => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus());
});
startClock();
startLive();

const root = document.getElementById('app');
if (root) render(<App />, root);
