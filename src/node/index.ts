export {
  type NodeDispatcher,
  type NodeFetch,
  type NodeFetchOptions,
  nodeFetch,
} from './node-fetch.ts';
