import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// Lets this process connect only to this machine: loopback addresses and Unix sockets. Every other attempt fails with an
// error that names the address, and is recorded, so that a test that expects an error fails too. Workers of Vitest and
// the programs that tests start load this file before anything else.
const GUARD = Symbol.for('contentgen.tests.loopbackOnly');

/** Attempts that were prevented in this process since the last call, as sentences. */
export const takePrevented = () => globalThis[GUARD].splice(0);

const LOOPBACK = /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$|(.+\.)?localhost$)/i;
/** Names that no resolver knows (RFC 2606): a look-up fails without asking one. */
const RESERVED = /\.(test|example|invalid|internal|local)$|^example\.(com|net|org)$/i;

if (!globalThis[GUARD]) {
  globalThis[GUARD] = [];
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    // Inside Node, the arguments arrive as one array that begins with the options.
    const first = Array.isArray(args[0]) ? args[0][0] : args[0];
    const options = typeof first === 'object' ? first : { port: first, host: args[1] };
    const host = typeof options.host === 'string' ? options.host : 'localhost';
    const isPath = options.path != null || (typeof first === 'string' && !/^\d+$/.test(first));
    if (!isPath && net.isIP(host) && !LOOPBACK.test(host)) {
      return this.destroy(prevented(`${host} port ${options.port}`));
    }
    // Without its own look-up, a connection uses `dns.lookup`.
    if (options.lookup) options.lookup = onlyLoopback(options.lookup);
    return connect.apply(this, args);
  };

  const { lookup } = dns;
  dns.lookup = (name, options, callback = options) => {
    const error = nameError(name);
    if (error) process.nextTick(callback, error);
    else lookup(name, ...(callback === options ? [callback] : [options, callback]));
  };
  const { lookup: lookupAsync } = dns.promises;
  dns.promises.lookup = async (name, options) => {
    const error = nameError(name);
    if (error) throw error;
    return lookupAsync(name, options);
  };
  syncBuiltinESMExports();
}

/** The look-up of a connection, which must find an address of this machine. */
function onlyLoopback(lookup) {
  return (name, options, callback) =>
    lookup(name, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const other = error ? undefined : addresses.find((address) => !LOOPBACK.test(address));
      if (other === undefined) callback(error, found, family);
      else callback(prevented(`${name}, which is ${other}`));
    });
}

function nameError(name) {
  if (!name || net.isIP(name) || LOOPBACK.test(name)) return undefined;
  const unknown = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name };
  const error = RESERVED.test(name)
    ? new Error(`getaddrinfo ENOTFOUND ${name}`)
    : prevented(`the resolver, for ${name}`);
  return Object.assign(error, unknown);
}

function prevented(target) {
  const sentence = `A test tried to reach ${target}. Tests may only connect to this machine.`;
  globalThis[GUARD].push(sentence);
  const { CONTENTGEN_PREVENTED: file, CONTENTGEN_TEST: name } = process.env;
  if (file) appendFileSync(file, `${sentence} (${name})\n`);
  return Object.assign(new Error(sentence), { code: 'ECONNREFUSED' });
}
