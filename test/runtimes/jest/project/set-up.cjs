const { recordCoverage } = require('contentgen/mock/coverage');

recordCoverage(afterAll);
