import { request } from 'node:http';

/** Sends 12 KiB of a body that never ends; the status and the fate of the connection. */
export function pour(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST' }, (response) => {
      sending.destroy();
      resolve([response.statusCode, response.headers.connection]);
    });
    sending.on('error', reject);
    for (let written = 0; written < 12_288; written += 4096) sending.write(Buffer.alloc(4096));
  });
}
