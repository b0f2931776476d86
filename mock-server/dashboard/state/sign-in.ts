import { signal } from '@preact/signals';
import { origin } from './control.ts';

/** What the session opens; undefined where no sign-in is needed. */
export const opens = signal<'server' | undefined>(undefined);

const address = `${origin}/_control/session`;

export async function loadSession(): Promise<void> {
  const response = await fetch(address).catch(() => undefined);
  if (!response?.ok) return;
  const { opens: opened } = (await response.json()) as { opens: 'server' | null };
  opens.value = opened ?? undefined;
}

/** Ends the session; the server then asks for the token. */
export async function signOut(): Promise<void> {
  await fetch(address, { method: 'DELETE' });
  location.reload();
}
