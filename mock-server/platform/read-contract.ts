const PLACES = ['../openapi.yaml', '../../openapi.yaml', '../../../openapi.yaml'];

let text: string | undefined;

/** The contract beside the package's files, where the platform can read them. */
export function readContract(): string | undefined {
  if (text !== undefined) return text;
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) return undefined;
  for (const place of PLACES) {
    const url = new URL(place, import.meta.url);
    if (!fs.existsSync(url)) continue;
    text = fs.readFileSync(url, 'utf8');
    return text;
  }
  return undefined;
}
