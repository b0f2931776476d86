/**
 * What to do when the address of a request has `/api` twice: the base URL contains the path of an operation, or its
 * start. Empty for any other address.
 */
export const pathInBaseUrl = (url: string): string =>
  /\/api\/(?:[^?#]*\/)?api\//.test(url)
    ? ' Remove /api and all that follows from baseUrl: every path begins with it.'
    : '';
