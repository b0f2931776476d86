/** The option that the client needs to accept an API key in a browser. */
export const inBrowsers = 'document' in globalThis ? { dangerouslyAllowBrowser: true } : {};
