import { request } from 'node:http';

/** Sends this many bytes of a body that never ends; returns the status and the `connection` header. */
export function pour(url: string, bytes = Number.POSITIVE_INFINITY): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST' }, (response) => {
      sending.destroy();
      resolve([response.statusCode, response.headers.connection]);
    });
    sending.on('error', reject);
    let left = bytes;
    const more = () => {
      left -= 4096;
      if (left >= 0 && !sending.destroyed && sending.write(Buffer.alloc(4096))) setImmediate(more);
    };
    sending.on('drain', more);
    more();
  });
}
