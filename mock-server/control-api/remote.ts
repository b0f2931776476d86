export { connectMock, type MockControl, MockControlError } from './client.ts';
