import { EdgeVM } from '@edge-runtime/vm';
import { Miniflare } from 'miniflare';
import { bundleForWeb, bundleWorker } from './bundle.mjs';

const compatibilityDate = '2026-07-01';

export async function inWorkerd(application, compatibilityFlags) {
  const script = await bundleWorker('programs/worker.mjs', application);
  const worker = new Miniflare({ modules: true, script, compatibilityDate, compatibilityFlags });
  try {
    return await (await worker.dispatchFetch('http://localhost/')).json();
  } finally {
    await worker.dispose();
  }
}

export async function inEdgeRuntime(application) {
  const vm = new EdgeVM();
  vm.evaluate(await bundleForWeb('programs/web.mjs', application));
  return vm.evaluate('runClaims()');
}

/** Starts workers of the application's own files. */
export function startWorker(application) {
  return async (entry, bindings, more = {}) => {
    const script = await bundleWorker(entry, application);
    return new Miniflare({ modules: true, script, bindings, compatibilityDate, ...more });
  };
}
