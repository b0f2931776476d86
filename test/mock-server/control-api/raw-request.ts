import { request } from 'node:http';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Sends a request with a forged `Host` or `Origin`, which fetch does not allow. */
export function rawRequest(
  url: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** Sent as given, instead of the path of the URL. */
    path?: string;
  } = {},
): Promise<RawResponse> {
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
          headers: response.headers as RawResponse['headers'],
          body: text,
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
