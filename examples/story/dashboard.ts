import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../dist/mock/dashboard/', import.meta.url);

/** Returns the dashboard's folder. Builds the dashboard first if it is missing. */
export async function builtDashboard(): Promise<URL> {
  if (!existsSync(new URL('index.html', folder))) {
    const { build } = await import('vite');
    await build({
      configFile: fileURLToPath(
        new URL('../../mock-server/dashboard/vite.config.ts', import.meta.url),
      ),
      logLevel: 'error',
    });
  }
  return folder;
}
