import { setupMockWorker } from 'contentgen/mock/browser';

const { mock } = await setupMockWorker({ seed: 1 });
const response = await fetch(`${mock.baseUrl}/api/usage`, { headers: { 'X-API-Key': mock.adminKey } });
console.log(response.status); // 200
