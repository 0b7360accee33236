/**
 * Tokens of the services that the platform provides to features: interfaces have no run-time identity. A class needs no
 * token and no `@Inject`; it is injected by its type.
 */
import type { EventStore, LastingConnection } from '@quarterdeck/log/store';
import type { ProjectionRunner } from '@quarterdeck/projections/runner';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config';
import type { Vault } from './secrets';

export const EVENT_STORE = Symbol('EVENT_STORE');
export const DB = Symbol('DB');
/** One more connection to Postgres, for notifications and a lock that shows that this process is alive. */
export const CONNECTION = Symbol('CONNECTION');
export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');
export const PROJECTIONS = Symbol('PROJECTIONS');
export const VAULT = Symbol('VAULT');
export const SESSIONS = Symbol('SESSIONS');
export const CLAIMS = Symbol('CLAIMS');
export const ROOMS = Symbol('ROOMS');
/** All of `Resources`, for code that opens another database beside the live one. */
export const RESOURCES = Symbol('RESOURCES');

export type { Config, EventStore, LastingConnection, Logger, Pool, ProjectionRunner, Vault };
