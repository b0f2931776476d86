module.exports = () => globalThis.contentgenMock?.kill();
