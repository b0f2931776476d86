import { closeSync, existsSync, fchmodSync, openSync } from 'node:fs';

export const OWNER_ONLY = 0o600;

/** Makes an open file readable only by its owner. Returns why others might read it, if its mode cannot be set. */
export function closeToOthers(file: number, path: string): string | undefined {
  try {
    fchmodSync(file, OWNER_ONLY);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `Others might be able to read ${path}: its mode could not be set (${code}).`;
  }
}

/** Does the same for the files that exist. `warn` is called with each reason. */
export function closeFilesToOthers(
  paths: readonly string[],
  warn: (sentence: string) => void,
): void {
  for (const path of paths.filter((path) => existsSync(path))) {
    const file = openSync(path, 'r');
    const doubt = closeToOthers(file, path);
    closeSync(file);
    if (doubt) warn(doubt);
  }
}
