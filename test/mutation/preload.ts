// Loaded before the first test: otherwise its top level counts as covered only by the test that happened to load it,
// and no other test is run against its mutants.
import '../../src/webhooks/diagnose.ts';
