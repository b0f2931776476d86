import { setupMockServer } from 'contentgen/mock/node';

const { mock, close } = setupMockServer({ seed: 1 });
const response = await fetch(`${mock.baseUrl}/api/usage`, { headers: { 'X-API-Key': mock.adminKey } });
console.log(response.status); // 200
await close();
