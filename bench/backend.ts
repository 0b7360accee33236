import { spawnBackend, type BackendProcess } from '../testing/backend-process';

/** The built back end with the settings of `npm start`: tests let it check each answer against its schema as well. */
export const spawnConsole = (
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<BackendProcess> =>
  spawnBackend({ databaseUrl, env: { LOG_LEVEL: 'warn', CHECK_ANSWERS: 'off', ...env } });
