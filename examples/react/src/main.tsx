import { ContentGen } from 'contentgen';
import { render } from './render.tsx';

const client = import.meta.env.DEV
  ? await (await import('./development.ts')).developmentClient()
  : new ContentGen({ baseUrl: 'https://api.example.com', accessToken: tokenOfUser });
const root = document.getElementById('root');
if (root) render(root, client);

/** Your back end knows who is signed in. The client calls this before each attempt. */
async function tokenOfUser(): Promise<string> {
  const response = await fetch('/session/token');
  if (!response.ok)
    throw new Error(`Failed to get a token: the back end responded with ${response.status}.`);
  return response.text();
}
