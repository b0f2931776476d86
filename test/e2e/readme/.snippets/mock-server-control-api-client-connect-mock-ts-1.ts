import { connectMock } from 'contentgen/mock/remote';

const mock = connectMock('http://127.0.0.1:4010');
await mock.trigger('data_updated');
await mock.settle();
