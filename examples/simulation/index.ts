import { simulate } from 'contentgen/simulate';
import { markAfterEffect } from './receivers/mark-after-effect.ts';
import { scenario } from './scenario.ts';

// Rejects with the first seed that fails. For another receiver, change the import.
await simulate(scenario(markAfterEffect));
