import { randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { installWitness } from './witness.mjs';

// Written at once, one line a record: a process that a test kills loses nothing.
const { CONTENTGEN_ANSWERS: folder } = process.env;
let file;

if (folder) {
  installWitness((record) => {
    file ??= openSync(join(folder, `${process.pid}-${randomUUID()}.jsonl`), 'a');
    writeSync(file, `${JSON.stringify({ ...record, of: process.env.CONTENTGEN_ANSWERS_OF })}\n`);
  });
}
