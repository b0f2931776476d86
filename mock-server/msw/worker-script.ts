/**
 * Rejects if MSW's worker script is not at `url`: the browser's own error names neither the file nor what to do.
 *
 * @throws Error
 */
export async function checkWorkerScript(url: string): Promise<void> {
  const response = await fetch(url, { cache: 'no-cache' }).catch(() => undefined);
  const type = response?.headers.get('content-type') ?? '';
  await response?.body?.cancel();
  if (!response?.ok) throw missing(url, response ? `status ${response.status}` : 'no response');
  // A development server answers unknown addresses with its index page.
  if (!/javascript|ecmascript/i.test(type)) throw missing(url, `content type ${type || 'unknown'}`);
}

function missing(url: string, found: string): Error {
  return new Error(
    `Failed to set up the mock worker: there is no worker script at ${url} (${found}). Create it with npx msw init public --save, where public is the folder your server serves at /, or pass its address as workerUrl.`,
  );
}
