import { setupMockWorker } from '../../../../mock-server/msw/browser.ts';

Object.assign(globalThis, { setupMockWorker });
