export { connectMock, type MockControl, MockControlError } from './connect-mock.ts';
