const prefix = 'contentgen-dashboard:';

/** Small choices of this browser. A browser that refuses storage forgets them, nothing more. */
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
    // Private windows refuse storage.
  }
}
