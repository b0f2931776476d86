import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { referencePage } from '../mock-server/http/site/reference-page.ts';

// Adds the reference of the service to the built site.
const root = new URL('..', import.meta.url);
const document = parse(readFileSync(new URL('openapi.yaml', root), 'utf8'));
const page = referencePage(document, { href: 'index.html', title: 'contentgen' });
writeFileSync(new URL('docs/api/service.html', root), page);
console.log('[info] docs/api/service.html written from openapi.yaml');
