import { claims } from './claims.mjs';
import { report } from './report.mjs';

// In a page and in the edge runtime, as one script.
globalThis.runClaims = () => report(claims, 'programs');
