/** What a browser asks for before the client takes an API key there. */
export const inBrowsers = 'document' in globalThis ? { dangerouslyAllowBrowser: true } : {};
