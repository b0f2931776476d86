import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { bundleForWeb } from './bundle.mjs';

/** Where a Chromium is, or undefined on a machine without it; under `CI=true` that is an error. */
export function locateChromium() {
  const found = [
    process.env.CHROMIUM_PATH,
    chromium.executablePath(),
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path));
  if (!found && process.env.CI === 'true')
    throw new Error('Chromium is not installed. CI must run the claims in it.');
  return found;
}

/** Runs the claims in a page. */
export async function inChromium(executablePath, application) {
  const root = process.getuid?.() === 0;
  const args = root ? ['--no-sandbox', '--disable-dev-shm-usage'] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    // Web Crypto needs a secure context, so the page has an HTTPS address.
    await page.route('https://app.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>claims</title>' }),
    );
    await page.goto('https://app.example/');
    await page.addScriptTag({ content: await bundleForWeb('programs/web.mjs', application) });
    return await page.evaluate(() => globalThis.runClaims());
  } finally {
    await browser.close();
  }
}
