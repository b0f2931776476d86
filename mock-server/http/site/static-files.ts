import { readdirSync, readFileSync } from 'node:fs';

/** Returns undefined for addresses that do not belong to the dashboard. */
export type StaticFiles = (request: Request) => Response | undefined;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The dashboard is next to a built entry, above or below a shared chunk, or in `dist` when the sources run. */
const FOLDERS = [
  './dashboard/',
  '../../dashboard/',
  './mock/dashboard/',
  '../../dist/mock/dashboard/',
];

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>ContentGen reference server</title></head>
<body><h1>The server is running, but its dashboard has not been built</h1>
<p>Run <code>npm run build</code> in the repository, then reload this page.</p>
<p>The contract: <a href="/openapi.yaml">openapi.yaml</a>.</p>
</body></html>
`;

interface File {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly hashed: boolean;
}

/**
 * The built dashboard at `/`, `/icon.svg` and `/assets/`, by default the one in the package. The files are read at the
 * first request, and only files found then are served.
 */
export function dashboardFiles(folder?: URL): StaticFiles {
  let files: ReadonlyMap<string, File> | undefined;
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const { pathname } = new URL(request.url);
    if (pathname !== '/' && pathname !== '/icon.svg' && !pathname.startsWith('/assets/')) {
      return undefined;
    }
    if (!files?.size) files = readFiles(folder);
    const file = files.get(pathname);
    if (file) return respond(request, file);
    return pathname === '/' ? respond(request, htmlFile(NOT_BUILT)) : undefined;
  };
}

function respond({ method }: Request, { bytes, type, hashed }: File): Response {
  return new Response(method === 'HEAD' ? null : bytes, {
    headers: {
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

function readFiles(folder: URL | undefined): ReadonlyMap<string, File> {
  const roots = folder ? [folder] : FOLDERS.map((path) => new URL(path, import.meta.url));
  for (const root of roots) {
    const names = list(root);
    if (!names.includes('index.html')) continue;
    const assets = list(new URL('assets/', root)).map((name) => `assets/${name}`);
    const found = [...names, ...assets].flatMap((name): [string, File][] => {
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (!type) return [];
      const bytes = new Uint8Array(readFileSync(new URL(name, root)));
      const path = name === 'index.html' ? '/' : `/${name}`;
      return [[path, { bytes, type, hashed: name.startsWith('assets/') }]];
    });
    return new Map(found);
  }
  return new Map();
}

function list(folder: URL): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function htmlFile(html: string): File {
  return { bytes: new TextEncoder().encode(html), type: TYPES['html'] ?? '', hashed: false };
}
