import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';

/**
 * Verdaccio without upstream registries, behind a door like the one of npm for new publishers: `npm publish` gets 403, and what `npm stage publish`
 * sends is published when `npm stage approve` sends a one-time password.
 */
export async function startRegistry(storage) {
  const { runServer } = createRequire(import.meta.url)('verdaccio');
  const store = await runServer({
    configPath: storage,
    storage,
    auth: { htpasswd: { file: `${storage}-users` } },
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$authenticated' } },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'pretty', level: 'fatal' },
  });
  store.listen(0, '127.0.0.1');
  await once(store, 'listening');
  const { port } = store.address();

  const staged = new Map();
  let isOpen = false;
  const door = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const respond = (status, body) =>
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const body = Buffer.concat(await incoming.toArray());
    const [, name] = /^\/-\/stage\/package\/(.+)$/.exec(url) ?? [];
    const [, id] = /^\/-\/stage\/(.+)\/approve$/.exec(url) ?? [];
    if (method === 'POST' && name) {
      const stageId = randomUUID();
      staged.set(stageId, { name, body });
      respond(201, { stageId });
    } else if (method === 'POST' && id) {
      const found = staged.get(id);
      if (!found) respond(404, { error: 'Nothing is staged with this id.' });
      else if (!headers['npm-otp']) respond(401, { error: 'A one-time password is required.' });
      else {
        const length = { 'content-length': found.body.length, 'content-type': 'application/json' };
        forward('PUT', `/${found.name}`, { ...headers, ...length }, found.body, outgoing);
      }
    } else if (method === 'PUT' && !isOpen && !url.startsWith('/-/')) {
      respond(403, { error: 'This publisher can only stage.' });
    } else forward(method, url, headers, body, outgoing);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const url = `http://127.0.0.1:${door.address().port}/`;

  function forward(method, path, headers, body, outgoing) {
    request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    }).end(body);
  }

  const user = await fetch(`${url}-/user/org.couchdb.user:maintainer`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'maintainer', password: randomUUID() }),
  });
  const { token } = await user.json();

  return {
    url,
    token,
    /** Publishes directly, for the packages that were there before. */
    async publishDirectly(publish) {
      isOpen = true;
      await publish();
      isOpen = false;
    },
    async close() {
      for (const server of [door, store]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}
