const words = (text: string) => text.trim().split(/\s+/);

/** Callback URLs that must never be connected to; `PORT` stands for the canary's port. */
export const hostileUrls: readonly string[] = [
  // Plain private, link-local, shared, reserved and multicast IPv4.
  ...words(`
    https://10.0.0.1/ https://10.255.255.255:PORT/ https://172.16.0.1/ https://172.31.255.254/
    https://192.168.0.1:PORT/ https://169.254.0.1/ https://100.64.0.1/ https://192.0.0.1/
    https://192.0.2.1/ https://198.18.0.1/ https://198.51.100.7/ https://203.0.113.7/
    https://224.0.0.1/ https://239.255.255.250/ https://240.0.0.1/ https://255.255.255.255/
    https://0.0.0.0:PORT/ https://0.1.2.3:PORT/ https://192.88.99.1/
  `),
  // Metadata services.
  ...words(`
    https://169.254.169.254/latest/meta-data/ http://169.254.169.254/latest/meta-data/
    https://[fd00:ec2::254]/latest/meta-data/ https://100.100.100.200/latest/meta-data/
    https://168.63.129.16/machine/ https://192.0.0.192/opc/v2/instance/
  `),
  // Numeric spellings that the URL parser folds into an address.
  ...words(`
    http://2130706433:PORT/ http://0x7f000001:PORT/ http://0x7f.0x0.0x0.0x1:PORT/
    http://0177.0.0.1:PORT/ http://017700000001:PORT/ http://127.1:PORT/ http://127.0.1:PORT/
    http://127.0.0.1.:PORT/ http://0:PORT/ http://00000177.0.0.1:PORT/ https://0xa9fea9fe/
    https://2852039166/ https://0251.0376.0251.0376/ https://0x0a.0.0.1/ https://167772161/
    http://%31%32%37.0.0.1:PORT/ http://１２７.０.０.１:PORT/ http://127。0。0。1:PORT/
    http://①②⑦.0.0.1:PORT/ http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/ http://loc%61lhost:PORT/
    https://%6cocalhost:PORT/
  `),
  'http://loc\u00ADalhost:PORT/',
  // IPv6, and IPv4 inside IPv6.
  ...words(`
    https://[::]:PORT/ http://[0:0:0:0:0:0:0:1]:PORT/ http://[::0001]:PORT/
    https://[::ffff:127.0.0.1]:PORT/ https://[::ffff:7f00:1]:PORT/ https://[::ffff:10.0.0.1]/
    https://[::127.0.0.1]:PORT/ https://[0:0:0:0:ffff:0:127.0.0.1]:PORT/
    https://[64:ff9b::7f00:1]:PORT/ https://[64:ff9b::a9fe:a9fe]/ https://[64:ff9b:1::a00:1]/
    https://[2002:7f00:1::]:PORT/ https://[2002:a9fe:a9fe::1]/ https://[2001:0:7f00:1::]/
    https://[fe80::1]:PORT/ https://[febf::1]/ https://[fec0::1]/ https://[fc00::1]/
    https://[fdff:ffff::1]/ https://[ff02::1]/ https://[100::1]/ https://[2001:db8::1]/
    https://[3fff::1]/ https://[5f00::1]/ https://[4000::1]/
  `),
  // Credentials, other schemes and invalid URLs.
  ...words(`
    http://user:pass@127.0.0.1:PORT/ http://user@localhost:PORT/ http://@localhost:PORT/
    https://example.com@127.0.0.1:PORT/ http:localhost:PORT/ http:/localhost:PORT/
    http:///localhost:PORT/ ftp://127.0.0.1:PORT/ file:///etc/passwd gopher://127.0.0.1:PORT/_POST
    data:text/plain,hello javascript:fetch("http://localhost:PORT") ws://localhost:PORT/
    blob:http://localhost:PORT/1 //localhost:PORT/ /relative https:// http://example.com:PORT/
  `),
  'http://localhost:PORT\\@example.com/',
  'http:\\\\localhost:PORT/',
  ' http://localhost:PORT/',
  'http://local\thost:PORT/',
  'http://localhost\n:PORT/',
  '',
  // Names that resolve to addresses that are rejected as literals.
  ...words(`
    http://localhost.:PORT/ https://localhost.:PORT/ https://foo.localhost:PORT/
    https://canary.test:PORT/ https://private.test:PORT/ https://metadata.google.internal/
    https://one-of-many.test:PORT/ https://mapped.test:PORT/ https://loopback6.test:PORT/
  `),
];

/** Addresses of the names above and of those in the tests. */
export const hostileNames: Readonly<Record<string, readonly string[]>> = {
  'localhost.': ['127.0.0.1'],
  'foo.localhost': ['127.0.0.1'],
  'canary.test': ['127.0.0.1'],
  'private.test': ['10.0.0.5'],
  'metadata.google.internal': ['169.254.169.254'],
  'one-of-many.test': ['93.184.216.34', '127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'loopback6.test': ['::1'],
};
