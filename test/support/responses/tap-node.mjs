import { randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { installResponseTap } from './response-tap.mjs';
import { tappedSource } from './tap-source.mjs';

const { CONTENTGEN_RESPONSES: folder } = process.env;
let file;

if (folder) {
  // Written at once, one line a record: nothing is lost when a test kills the process.
  installResponseTap((record) => {
    file ??= openSync(join(folder, `${process.pid}-${randomUUID()}.jsonl`), 'a');
    writeSync(file, `${JSON.stringify({ ...record, of: process.env.CONTENTGEN_RESPONSES_OF })}\n`);
  });
  // Absent before Node 22.15.
  nodeModule.registerHooks?.({ load });
}

/** Modules that Vitest does not transform: programs that tests start, and built files. */
function load(url, context, nextLoad) {
  const loaded = nextLoad(url, context);
  if (!/\/(mock-server|dist)\/.*\.[jt]s$/.test(url) || loaded.source == null) return loaded;
  const source = tappedSource(String(loaded.source));
  return source === undefined ? loaded : { ...loaded, source };
}
