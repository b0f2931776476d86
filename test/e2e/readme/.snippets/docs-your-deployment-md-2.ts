import { createConformanceReceiver, runConformance } from 'contentgen/testing';

const baseUrl = 'https://api.example.com';
const { CONTENTGEN_API_KEY: apiKey = '', CONTENTGEN_WEBHOOK_SECRET: secret = '' } = process.env;
const receiver = createConformanceReceiver('http://127.0.0.1:4011/'); // serve receiver.handle there
const { deployment, lines, proof } = await runConformance({ baseUrl, apiKey, secret, receiver });
