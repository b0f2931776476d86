import { claims } from './claims.mjs';
import { report } from './report.mjs';

// The package loads in the global scope of the Worker, the claims run in a request.
export default {
  fetch: async () => Response.json(await report(claims, 'programs')),
};
