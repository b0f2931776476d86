import { connectMock } from 'contentgen/mock/remote';

const mock = connectMock('https://mock.example', { token: process.env['CONTENTGEN_CONTROL_TOKEN'] ?? '' });
await mock.trigger('invoice_paid');
