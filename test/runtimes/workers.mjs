import { EdgeVM } from '@edge-runtime/vm';
import { Miniflare } from 'miniflare';
import { bundleForWeb, bundleWorker } from './bundle.mjs';

const compatibilityDate = '2026-07-01';

/** Starts a worker of the application's own files. */
export async function startWorker(application, entry, options) {
  const script = await bundleWorker(entry, application);
  return new Miniflare({ modules: true, script, compatibilityDate, ...options });
}

export async function inWorkerd(application, compatibilityFlags) {
  const worker = await startWorker(application, 'programs/worker.mjs', { compatibilityFlags });
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
