import express from 'express';

const app = express();
app.use(
  express.json({
    limit: '1mb', // by default, Express rejects bodies over 100 kB
    verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
  }),
);
