import { request } from 'node:http';
import { signWebhook } from 'contentgen/webhooks';
import { at, secret } from './support.ts';

/** Sends this many bytes of a signed body that never ends. Returns the status and the `connection` header. */
export async function sendUnendingBody(
  url: string,
  bytes = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  const headers = await signWebhook({ timestamp: at, body: '', secret });
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers }, (response) => {
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
