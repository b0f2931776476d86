/** Where `contentgen mock` listens. Set the variable if the port is in use. */
export const mockUrl = `http://127.0.0.1:${process.env['MOCK_PORT'] ?? 4610}`;
