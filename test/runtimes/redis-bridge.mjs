import { once } from 'node:events';
import { createServer } from 'node:http';
import { Redis } from 'ioredis';

/** Redis over HTTP as Upstash offers it: one command per POST, several to `/pipeline`. */
export async function bridgeTo(url) {
  const redis = new Redis(url);
  const server = createServer(async (request, response) => {
    const given = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    const base64 = request.headers['upstash-encoding'] === 'base64';
    const execute = async (words) => {
      try {
        const result = await redis.call(...words.map(String));
        return { result: base64 ? encoded(result) : result };
      } catch (error) {
        return { error: error.message };
      }
    };
    const several = request.url.endsWith('/pipeline');
    const body = several ? await Promise.all(given.map(execute)) : await execute(given);
    response.statusCode = body.error === undefined ? 200 : 400;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      redis.disconnect();
      server.closeAllConnections();
      server.close();
    },
  };
}

function encoded(result) {
  if (Array.isArray(result)) return result.map(encoded);
  return typeof result === 'string' ? Buffer.from(result).toString('base64') : result;
}
