export * from '../../src/deployment.ts';
export * from '../../src/deployment-names.ts';
export * from '../../src/deployment-rule.ts';
