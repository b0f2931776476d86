declare module '*.css';

/** Request schemas of the contract by operation id; `vite.config.ts` reads them. */
declare const REQUEST_SCHEMAS: Readonly<Record<string, import('./components/form.tsx').Schema>>;

/** The ids of all operations of the contract. */
declare const OPERATION_IDS: readonly string[];
