import { ContentGen } from 'contentgen';
import { defineDeployment } from 'contentgen/deployment';
import { createMockServer } from 'contentgen/mock';

const deployment = defineDeployment({ wrap: 'data', fields: { requestId: 'job_id' } }); // { "data": { "job_id": … } }
const client = new ContentGen({ ...createMockServer({ deployment }).clientOptions, deployment });
console.log((await client.content.generate({ prompt: 'UDP' })).requestId); // gen_…
