import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { exceptionsOn } from './manifest.ts';

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
    throw new Error('Chromium is not installed. CI must run the suite in it.');
  return found;
}

/** Runs the suite's script in a page. */
export async function inChromium(executablePath, text) {
  const root = process.getuid?.() === 0;
  const args = root ? ['--no-sandbox', '--disable-dev-shm-usage'] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    // Web Crypto needs a secure context, so the page has an HTTPS address.
    await page.route('https://app.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>suite</title>' }),
    );
    await page.goto('https://app.example/');
    await page.addScriptTag({ content: text });
    const except = exceptionsOn('chromium');
    return await page.evaluate((given) => globalThis.contentgenSuite.run(given), except);
  } finally {
    await browser.close();
  }
}
