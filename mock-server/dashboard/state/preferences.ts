import { signal } from '@preact/signals';

const prefix = 'contentgen-dashboard:';

/** A choice that this browser remembers, unless it blocks storage. */
export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // Private windows block storage.
  }
}

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>(themes.find((name) => name === remembered('theme')) ?? 'system');

export function setTheme(next: Theme): void {
  theme.value = next;
  remember('theme', next === 'system' ? undefined : next);
  applyTheme();
}

export function applyTheme(): void {
  if (theme.peek() === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.peek();
}
