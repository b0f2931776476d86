import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
}

export const toasts = signal<readonly Toast[]>([]);

let last = 0;

/** Confirms that something was done. Failures are shown where they happened instead. */
export function showToast(text: string): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value.slice(-2), { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }, 5000);
}
