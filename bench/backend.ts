import { spawnBackend, type BackendProcess } from '../e2e/peers/backend-process';

/** The built back end with the settings of `npm start`, so without the check of each answer that tests switch on. */
export const spawnConsole = (databaseUrl: string): Promise<BackendProcess> =>
  spawnBackend({ databaseUrl, env: { LOG_LEVEL: 'warn', CHECK_ANSWERS: 'off' } });
