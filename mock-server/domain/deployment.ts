export * from '../../src/deployment.ts';
