import { signal } from '@preact/signals';
import { remember, remembered } from './memory.ts';

export type Theme = 'system' | 'light' | 'dark';

const stored = remembered('theme');

export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system');

export function setTheme(next: Theme): void {
  theme.value = next;
  remember('theme', next === 'system' ? undefined : next);
  applyTheme();
}

export function applyTheme(): void {
  if (theme.peek() === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.peek();
}
