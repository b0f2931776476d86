import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { startRouter } from './router.ts';
import { startClock } from './state/clock.ts';
import { onActivity, startLive } from './state/live.ts';
import { loadNames } from './state/names.ts';
import { applyTheme } from './state/preferences.ts';
import { epoch } from './state/session.ts';
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
effect(() => {
  if (epoch.value === 0) return;
  void loadNames();
});
onActivity(({ events }) => {
  if (events.some(({ type }) => type.startsWith('api_key.'))) void loadNames();
});

/** `/` goes to the search, except in a field or a dialog. */
addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || defaultPrevented) return;
  if (target instanceof Element && target.closest('input, select, textarea, dialog')) return;
  if (document.querySelector('dialog[open]')) return;
  const search = document.querySelector<HTMLInputElement>('.filters .find');
  if (!search) return;
  event.preventDefault();
  search.select();
});

const root = document.getElementById('app');
if (root) render(<App />, root);
