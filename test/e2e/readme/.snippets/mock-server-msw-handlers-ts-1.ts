import { createMockServer } from 'contentgen/mock';
import { mswHandlers } from 'contentgen/mock/msw';
import { setupServer } from 'msw/node';

const mock = createMockServer();
setupServer(...mswHandlers(mock)).listen();
