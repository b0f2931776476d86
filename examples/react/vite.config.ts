import { msw } from 'msw/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [msw({ mode: 'worker-only' })],
  build: { target: 'es2022', outDir: 'dist' },
});
