import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A request whose `Host` and `Origin` may lie, which fetch does not let through. */
export function rawRequest(
  url: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** Sent as it is, in place of the URL's. */
    path?: string;
  } = {},
): Promise<RawAnswer> {
  const { method = 'GET', headers = {}, body, path } = options;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers, agent: false, ...(path ? { path } : {}) },
      async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        const { statusCode = 0 } = response;
        resolve({
          status: statusCode,
          headers: response.headers as RawAnswer['headers'],
          body: text,
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
