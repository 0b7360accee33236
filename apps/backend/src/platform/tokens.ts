/** Tokens of the services that the platform provides to features: interfaces have no run-time identity. */
import type { EventStore } from '@quarterdeck/events/store';
import type { ProjectionRunner } from '@quarterdeck/projections/runner';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Claims } from './decisions';
import type { Config } from './boot';
import type { Vault } from './vault';

export const EVENT_STORE = Symbol('EVENT_STORE');
export const DB = Symbol('DB');
export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');
export const PROJECTIONS = Symbol('PROJECTIONS');
export const VAULT = Symbol('VAULT');
export const SESSIONS = Symbol('SESSIONS');
export const CLAIMS = Symbol('CLAIMS');
export const ROOMS = Symbol('ROOMS');

export type { Claims, Config, EventStore, Logger, Pool, ProjectionRunner, Vault };
