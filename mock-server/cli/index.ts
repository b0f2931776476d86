#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  // Imported only now: an older Node fails while it links these modules.
  const { main } = await import('./run.ts');
  process.exitCode = await main();
} else {
  const found = process.versions.node;
  process.stderr.write(`contentgen: This needs Node 20.19 or later, not ${found}. Update Node.\n`);
  process.exitCode = 2;
}

export {};
