/**
 * The package's root is two folders up from this source file and from built entries; a shared chunk can be elsewhere.
 */
const ROOTS = ['../../', '../', '../../../'];

const texts = new Map<string, string>();

/** Reads a text file of this package; undefined where the platform cannot read files or the file is missing. */
export function readPackageFile(name: string): string | undefined {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) return undefined;
  for (const root of ROOTS) {
    const url = new URL(root + name, import.meta.url);
    if (!fs.existsSync(url)) continue;
    const text = fs.readFileSync(url, 'utf8');
    texts.set(name, text);
    return text;
  }
  return undefined;
}
