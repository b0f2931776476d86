import { ContentGen } from 'contentgen';
import { setupMockWorker } from 'contentgen/mock/browser';

/** A client for the reference server in this page, signed in as a member. */
export async function developmentClient(): Promise<ContentGen> {
  const { mock } = await setupMockWorker({ baseUrl: 'https://api.example.com', quota: 10_000 });
  return new ContentGen({
    baseUrl: mock.baseUrl,
    accessToken: () => mock.issueToken({ role: 'member' }),
  });
}
