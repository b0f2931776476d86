import { describe, onTestFinished } from 'vitest';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { storeConformance } from './conformance.ts';
import { temporaryFile } from './temporary-file.ts';

describe('memory', () => storeConformance(memoryStore));

describe('sqlite', () =>
  storeConformance(() => {
    const store = sqliteStore(temporaryFile());
    onTestFinished(() => store.close());
    return store;
  }));
