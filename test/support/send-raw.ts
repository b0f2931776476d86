import { connect } from 'node:net';

/** Writes bytes to a port of this machine, and returns everything that comes back until the connection closes. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.on('data', (data) => {
      response += data;
    });
    socket.on('close', () => resolve(response));
    // A server that closes on unread bytes resets the connection: its response might have arrived already.
    socket.on('error', (error) => (response ? resolve(response) : reject(error)));
  });
}
