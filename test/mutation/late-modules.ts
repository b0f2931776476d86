// What is loaded late is loaded before the first test here: else its top level counts as covered by the one test
// that happened to load it, and no other is run against its changes.
import '../../src/webhooks/late.ts';
import '../../src/webhooks/diagnose.ts';
import '../../src/signing/web-crypto.ts';
