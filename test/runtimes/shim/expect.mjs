import {
  ASYMMETRIC_MATCHERS_OBJECT,
  addCustomEqualityTesters,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';

// The matchers of vitest itself, put together as vitest does.
chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

const { setTimeout } = globalThis;

export const expect = Object.assign(
  (value, message) => chai.expect(value, message),
  chai.expect,
  globalThis[ASYMMETRIC_MATCHERS_OBJECT],
  { addEqualityTesters: addCustomEqualityTesters, poll },
);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0, isExpectingAssertions: false }, expect);
expect.extend = (matchers) => chai.expect.extend(expect, matchers);
expect.extend(customMatchers);

/** `await expect.poll(read).toBe(…)`: reads again until the matcher holds. */
function poll(read, { interval = 20, timeout = 1000 } = {}) {
  return new Proxy(
    {},
    {
      get:
        (_, matcher) =>
        async (...args) => {
          for (let left = timeout; ; left -= interval) {
            try {
              return expect(await read())[matcher](...args);
            } catch (error) {
              if (left <= 0) throw error;
            }
            await new Promise((resolve) => setTimeout(resolve, interval));
          }
        },
    },
  );
}
