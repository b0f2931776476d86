import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { clientEntries, mockEntries, specifier } from './entries.ts';

// Checks the built site (`npm run docs`) in Chromium at the size of a phone: its pages, search, links and width.
const PHONE = { width: 375, height: 812 };
const site = fileURLToPath(new URL('../docs/api', import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const failures = [];
let checked = 0;

const claim = (holds, text) => {
  checked += 1;
  if (!holds) failures.push(text);
};

if (!existsSync(join(site, 'index.html'))) {
  console.error('docs/api is missing. Run npm run docs first.');
  process.exit(1);
}
const pages = globSync('**/*.html', { cwd: site }).map((path) => path.split(sep).join('/'));
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const file = join(site, decodeURIComponent(pathname));
  const found = !relative(site, file).startsWith('..') && existsSync(file) && extname(file) !== '';
  response.writeHead(found ? 200 : 404, { 'content-type': types[extname(file)] ?? '' });
  response.end(found ? readFileSync(file) : '');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome']
  .concat(chromium.executablePath())
  .find((path) => path && existsSync(path));
if (!executablePath && process.env.CI !== 'true') {
  console.warn('The site is built but not checked: no Chromium found (set CHROMIUM_PATH).');
  process.exit();
}
const browser = await chromium.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
});

try {
  const page = await browser.newPage({ viewport: PHONE });
  await checkModules(page);
  await checkSearch(page);
  await checkReference(page);
  await checkWidths();
} finally {
  await browser.close();
  server.close();
}
for (const failure of failures) console.error(`✗ ${failure}`);
console.log(
  `${checked - failures.length} claims about ${pages.length} pages hold, ${failures.length} do not.`,
);
process.exitCode = failures.length > 0 ? 1 : 0;

/**
 * Every entry except the generated schemas has a page under its import path, and the guides come before these pages.
 */
async function checkModules(page) {
  const documented = Object.keys({ ...clientEntries, ...mockEntries })
    .map(specifier)
    .filter((name) => name !== 'contentgen/schemas');
  for (const name of documented) {
    const path = `modules/${name.replaceAll('/', '_')}.html`;
    claim(pages.includes(path), `${name} has no page (${path})`);
  }
  await page.goto(`${origin}/index.html`);
  const links = page.locator('.site-menu .tsd-navigation a');
  await links.nth(5).waitFor({ state: 'attached' });
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  const firstGuide = hrefs.findIndex((href) => href?.includes('documents/'));
  const firstModule = hrefs.findIndex((href) => href?.includes('modules/'));
  claim(firstGuide >= 0 && firstGuide < firstModule, 'the guides do not come before the API');
}

/** The search lists guides before the API. */
async function checkSearch(page) {
  for (const word of ['express', 'retry']) {
    await page.goto(`${origin}/index.html`);
    await page.locator('#tsd-search-trigger').click();
    const field = page.locator('#tsd-search-input');
    await field.fill(word);
    const first = page.locator('#tsd-search-results a').first();
    await first.waitFor();
    const href = await first.getAttribute('href');
    claim(
      href?.includes('documents/'),
      `a search for ${word} lists ${href} first instead of a guide`,
    );
  }
}

/** The site links to the reference of the service, which shows what the contract says. */
async function checkReference(page) {
  await page.goto(`${origin}/index.html`);
  const links = await page.locator('a[href="service.html"]').count();
  claim(links > 0, 'index.html does not link to service.html');
  await page.goto(`${origin}/service.html`);
  const [title] = await page.getByText('Generate content from prompts').allInnerTexts();
  claim(title !== undefined, 'service.html does not show the description of the service');
}

/** No page scrolls sideways: every guide and module, and a fifth of the generated pages, which share their templates. */
async function checkWidths() {
  const generated = /^(classes|functions|interfaces|types|variables|enums)\//;
  const left = pages.filter((path, index) => !generated.test(path) || index % 5 === 0);
  const work = async () => {
    // Scripts hide a page until they have run and do not change its width, so they are off.
    const page = await browser.newPage({ viewport: PHONE, javaScriptEnabled: false });
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      await page.goto(`${origin}/${encodeURI(path)}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      claim(width <= PHONE.width, `${path} is ${width} px wide on a phone of ${PHONE.width} px`);
    }
  };
  await Promise.all([work(), work(), work()]);
}
