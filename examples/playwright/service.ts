import { test as base, type Page } from '@playwright/test';
import { createMockServer, type MockServer } from 'contentgen/mock';

/** A user of the page, whose organization no other test uses. */
interface User {
  readonly organization: string;
}

/** Tests whose worker has its own mock of the service. The page is signed in, and reaches nothing but the mock. */
export const test = base.extend<{ user: User }, { mock: MockServer }>({
  mock: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parameters.
    async ({}, use) => {
      const mock = createMockServer({ clock: 'manual', start: 'now' });
      await use(mock);
      await mock.close();
    },
    { scope: 'worker' },
  ],
  user: async ({ page, mock }, use) => {
    const { organization } = mock.createOrganization({ quota: 50 });
    const token = await mock.issueToken({ role: 'member', organization, expiresIn: '60 days' });
    await answerFrom(mock, page);
    await page.addInitScript((value) => sessionStorage.setItem('token', value), token);
    await use({ organization });
  },
});

/** The mock answers what the page asks of the service. */
async function answerFrom(mock: MockServer, page: Page): Promise<void> {
  await page.route(`${mock.baseUrl}/**`, async (route) => {
    const request = route.request();
    const init = {
      method: request.method(),
      headers: request.headers(),
      body: request.postData(),
    };
    const response = await mock.fetch(request.url(), init).catch(() => undefined);
    // A fault dropped the connection.
    if (response === undefined) return route.abort('connectionreset');
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
}
