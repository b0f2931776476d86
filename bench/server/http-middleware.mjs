// @mswjs/http-middleware with as many handlers as the contract has operations; each returns a constant.
import { readFileSync } from 'node:fs';
import { createServer } from '@mswjs/http-middleware';
import { HttpResponse, http } from 'msw';
import { parse } from '../../node_modules/yaml/dist/index.js';

const { paths } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
const handlers = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((method) => method in http)
    .map((method) =>
      http[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), async ({ request }) => {
        const body = method === 'post' ? await request.json() : {};
        return HttpResponse.json({ status: 'completed', result: body.prompt ?? '', used: 0 });
      }),
    ),
);
createServer(...handlers).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
