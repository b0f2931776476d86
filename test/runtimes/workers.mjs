import { EdgeVM } from '@edge-runtime/vm';
import { Miniflare } from 'miniflare';
import { bundleWorker } from './bundle.mjs';
import { exceptionsOn } from './manifest.ts';

const compatibilityDate = '2026-07-01';

/** The script of the suite on workerd: the package loads in the global scope, the claims in a handler. */
export async function inWorkerd(kind, text, compatibilityFlags, bindings = {}) {
  const except = JSON.stringify(exceptionsOn(kind));
  const script = `${text}
export default {
  async fetch(_, env) {
    globalThis.contentgenSuite.bindings = env;
    return Response.json(await globalThis.contentgenSuite.run(${except}));
  },
};`;
  const worker = new Miniflare({
    modules: true,
    script,
    bindings,
    compatibilityDate,
    compatibilityFlags,
  });
  try {
    return await (await worker.dispatchFetch('http://localhost/')).json();
  } finally {
    await worker.dispose();
  }
}

export async function inEdgeRuntime(text) {
  const vm = new EdgeVM();
  vm.evaluate(text);
  return vm.evaluate(`contentgenSuite.run(${JSON.stringify(exceptionsOn('edge'))})`);
}

/** Starts workers of the application's own files. */
export function startWorker(application) {
  return async (entry, bindings, more = {}) => {
    const script = await bundleWorker(entry, application);
    return new Miniflare({ modules: true, script, bindings, compatibilityDate, ...more });
  };
}
