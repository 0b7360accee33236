/** Checks whether PORT can be bound before the database starts, which takes seconds and leaves a cluster behind. */
import { createServer } from 'node:net';
import { StartProblem, WRONG_ENVIRONMENT } from '../start-problem';

export interface ListenAddress {
  PORT: number;
  HOST: string;
}

/** Explains an error of `listen` as a problem with PORT or HOST. */
export const placeProblem = ({ PORT, HOST }: ListenAddress, error: unknown): unknown => {
  const port = { variable: 'PORT', value: String(PORT) };
  const host = { variable: 'HOST', value: HOST };
  const problem = (setting: typeof port, wrong: string, remedy: string) =>
    new StartProblem(setting, { wrong, remedy, exitCode: WRONG_ENVIRONMENT }, error);
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return problem(port, `is taken on ${HOST}`, 'set PORT to another one, or to 0 for any that is free');
    case 'EACCES':
      return problem(port, 'must not be used by this user', 'set PORT to 1024 or above');
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return problem(
        host,
        'is not an address of this machine',
        'set HOST to one, such as 127.0.0.1 or 0.0.0.0',
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return problem(host, 'is a name without an address', 'set HOST to an address, such as 127.0.0.1');
    default:
      return error;
  }
};

/** @throws StartProblem */
export const claimPlace = async (place: ListenAddress): Promise<void> => {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(place.PORT, place.HOST, resolve);
    });
  } catch (error) {
    throw placeProblem(place, error);
  }
  await new Promise((resolve) => server.close(resolve));
};
