import * as msw from 'msw';

const isMsw3 = !('graphql' in msw);

/** Why every request that msw intercepts here would fail without saying so, and what to do. */
export function whyNoneIntercepted(): string | undefined {
  if (!isMsw3) return undefined;
  if (!('withResolvers' in Promise)) return OLD_NODE;
  try {
    new Request('http://localhost/', { signal: new AbortController().signal });
    return undefined;
  } catch {
    return FOREIGN_SIGNAL;
  }
}

const OLD_NODE =
  'msw 3 needs Node 22.12 or later: on this one, every intercepted request fails. Update Node, or install msw 2: npm install --save-dev msw@2.';

const FOREIGN_SIGNAL =
  'Request does not accept the AbortController of this environment, as in the jsdom of Vitest 2 and 3: with msw 3, every intercepted request fails. Update to Vitest 4, or install msw 2: npm install --save-dev msw@2.';
