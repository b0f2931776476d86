const DECLARATION = /(export )?function createMockServer\(/;

/**
 * The text of the module that declares `createMockServer`, changed so that the tap gets every mock it creates;
 * undefined for the text of any other module.
 */
export function tappedSource(text) {
  const [found, exported = ''] = DECLARATION.exec(text) ?? [];
  if (found === undefined || text.includes('createUntappedMockServer')) return undefined;
  return `${text.replace(found, 'function createUntappedMockServer(')}
;${exported}function createMockServer(...options) {
  const mock = createUntappedMockServer(...options);
  return globalThis[Symbol.for('contentgen.tests.responseTap')]?.(mock) ?? mock;
}
`;
}

/** The same change as a Vite plugin. */
export const tapMocks = () => ({
  name: 'contentgen-response-tap',
  enforce: 'pre',
  transform: (text) => tappedSource(text),
});
