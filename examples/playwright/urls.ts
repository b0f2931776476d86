/** Where `contentgen mock` and the application listen. Set the variables if these ports are in use. */
export const mockUrl = `http://127.0.0.1:${process.env['MOCK_PORT'] ?? 4610}`;
export const appUrl = `http://127.0.0.1:${process.env['APP_PORT'] ?? 4611}`;
