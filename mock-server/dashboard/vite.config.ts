import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Relative asset addresses: the built folder works under any static mount. */
export default defineConfig({
  root: path('.'),
  base: './',
  publicDir: path('./public'),
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('../../dist/mock/dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/api-keys', '/v2', '/_control', '/openapi.yaml', '/.well-known'].map((prefix) => [
        prefix,
        { target: 'http://127.0.0.1:4010', headers: { origin: 'http://127.0.0.1:4010' } },
      ]),
    ),
  },
});
