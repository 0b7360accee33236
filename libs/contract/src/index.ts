/**
 * Every call of the API. The browser gets what it needs of this without the schemas: see `contractForBrowsers` in
 * `apps/console/vite.config.ts`.
 */
import { contractOf, type Call } from './call';
import { scripts } from './scripts';

export * from './call';
export { scripts };

export const contract: readonly Call[] = contractOf([scripts]);
