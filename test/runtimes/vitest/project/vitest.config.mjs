import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'node', include: ['readme.node.test.mjs'] } },
      {
        test: {
          name: 'jsdom',
          environment: 'jsdom',
          include: ['jsdom.test.mjs', 'dom.test.mjs', 'readme.jsdom.test.mjs'],
        },
      },
      { test: { name: 'happy-dom', environment: 'happy-dom', include: ['dom.test.mjs'] } },
      { test: { name: 'fake timers', include: ['fake-timers.test.mjs'] } },
    ],
  },
});
