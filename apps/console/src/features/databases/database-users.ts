/** The services that use a database. Pure. */
import { serviceDatabases, type service } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';

export type DatabaseUser = ViewOf<typeof service>;

export const usersOf = (database: string, services: readonly DatabaseUser[]): DatabaseUser[] =>
  services.filter((one) => serviceDatabases.some((key) => one[key]?.id === database));
