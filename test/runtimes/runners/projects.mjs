import { defineConfig } from 'vitest/config';

const include = ['dom.test.mjs'];

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'node', include: ['readme.test.mjs'] } },
      { test: { name: 'jsdom', environment: 'jsdom', include: [...include, 'readme.test.mjs'] } },
      { test: { name: 'happy-dom', environment: 'happy-dom', include } },
    ],
  },
});
