import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const response = await mock.fetch(`${mock.baseUrl}/api/usage`, {
  headers: { 'X-API-Key': mock.memberKey },
});
console.log(response.status); // 200
