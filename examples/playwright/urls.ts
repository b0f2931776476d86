/** Where `contentgen mock` and the application listen; the variables are for when the ports are taken. */
export const mockUrl = process.env['MOCK_URL'] ?? 'http://127.0.0.1:4610';
export const appUrl = process.env['APP_URL'] ?? 'http://127.0.0.1:4611';
