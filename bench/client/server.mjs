import { createServer } from 'node:http';
import { success } from '../bake-off/server.mjs';

// The server for cost.mjs: responds to every request with the same record. Prints its port.
const body = JSON.stringify(success);
createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
}).listen(0, '127.0.0.1', function listening() {
  console.log(this.address().port);
});
