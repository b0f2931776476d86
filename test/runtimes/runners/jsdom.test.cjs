const { exports: entries } = require('contentgen/package.json');

const loadable = Object.entries(entries)
  // Jest's jsdom is resolved as a browser, for which MSW has no CommonJS and what needs Node does not exist.
  .filter(([name, to]) => to.require && to.browser !== null && !/\/(msw|node|browser)$/.test(name))
  .map(([name]) => name.replace('.', 'contentgen'));

test('this jsdom has only the globals that Jest gives it', () => {
  expect([typeof document, typeof TextDecoder, typeof fetch]).toEqual([
    'object',
    'undefined',
    'undefined',
  ]);
});

test.each(loadable)('require(%p) touches no global that is missing', (name) => {
  expect(Object.keys(require(name)).length).toBeGreaterThan(0);
});

test('createMockServer names what is missing, and an environment that has it', () => {
  const { createMockServer } = require('contentgen/mock');
  expect(createMockServer).toThrow(/no TextEncoder, no Request.*jest-fixed-jsdom/);
});
