// Generated from package.json by `npm run generate`. Do not edit.
export const version = '0.0.0';
