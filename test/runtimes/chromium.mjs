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

/** No inline code, no evaluated text, nothing from elsewhere. */
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'";

/** Runs the claims in a page under a strict content security policy. */
export async function inChromium(executablePath, application) {
  const root = process.getuid?.() === 0;
  const args = root ? ['--no-sandbox', '--disable-dev-shm-usage'] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    // Web Crypto needs a secure context, so the page has an HTTPS address.
    await page.route('https://app.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': policy },
        body: '<!doctype html><title>claims</title><script src="/claims.js"></script>',
      }),
    );
    const script = await bundleForWeb('programs/web.mjs', application);
    await page.route('https://app.example/claims.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.goto('https://app.example/');
    return await page.evaluate(() => globalThis.runClaims());
  } finally {
    await browser.close();
  }
}
