import { testApplications } from './application-tests.ts';

testApplications('mailer');
