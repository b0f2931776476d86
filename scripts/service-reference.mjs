import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { referencePage } from '../mock-server/http/site/reference-page.ts';

// Adds the references of the service and of the control API to the built site.
const root = new URL('..', import.meta.url);
for (const [name, page] of [
  ['openapi.yaml', 'service.html'],
  ['mock-server/control.openapi.yaml', 'control.html'],
]) {
  const document = parse(readFileSync(new URL(name, root), 'utf8'));
  writeFileSync(
    new URL(`docs/api/${page}`, root),
    referencePage(document, { href: 'index.html', title: 'contentgen' }),
  );
  console.log(`[info] docs/api/${page} written from ${name}`);
}
