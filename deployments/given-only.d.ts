import type { Deployment } from 'contentgen';

/** The smallest service that conforms to the specification. */
declare const givenOnly: Deployment;
export default givenOnly;
