import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
}

export const toasts = signal<readonly Toast[]>([]);

let last = 0;

/** Says that something was done. What went wrong is shown where it went wrong instead. */
export function say(text: string): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value.slice(-2), { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }, 5000);
}
