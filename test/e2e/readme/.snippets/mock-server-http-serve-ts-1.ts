import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';

const served = await serve(createMockServer(), { port: 0 });
console.log(served.url);
await served.close();
