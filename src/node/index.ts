export { type NodeFetch, type NodeFetchOptions, nodeFetch } from './node-fetch.ts';
