/** Serves one API without a console: its definition is in a file, the rest in the environment, and its log goes to stdout. */
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { placeProblem } from '../platform/boot/port.program';
import { StartProblem, WRONG_ENVIRONMENT } from '../platform/start-problem';
import { identityProblem } from '../platform/tls/identity.program';
import { faultOf, ServedApi } from './api-process.program';
import { DATABASE_LIMITS, type DatabaseAccess } from './child/connections';
import type { ToConsole } from './messages';
import type { StandaloneDefinition } from './standalone/definition';
import { settingsIn, type Settings } from './standalone/settings';

/** What requests under way may still take: Docker ends a container after ten seconds. */
const STOP_MS = 8000;

/** JSON lines. */
const write = (line: object): void =>
  void process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);

/** A sample of the requests, with the number of all of them where it is not complete. */
const tell = (message: ToConsole): void => {
  if (message.is !== 'counts') return write(message);
  const { counts, requests } = message;
  for (const request of requests) write({ is: 'request', ...request });
  const all = Object.values(counts).reduce((sum, one) => sum + one.requests, 0);
  if (all > requests.length) write({ is: 'requests', count: all, shown: requests.length });
};

/** @param file with a `StandaloneDefinition` */
export const serveStandalone = async (file: URL): Promise<void> => {
  // The reader of the log may go away. The API continues to answer.
  process.stdout.on('error', () => undefined);
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
  const { dialect, description } = definitionIn(file);
  const { settings, problems } = settingsIn(process.env, dialect);
  if (!settings) {
    for (const problem of problems) console.error(problem);
    process.exitCode = WRONG_ENVIRONMENT;
    return;
  }
  const { host, port, token, healthPath, isTrustedProxy, secrets, calls } = settings;
  const isTaken = description.endpoints.some(
    ({ endpoint }) => endpoint.method === 'GET' && endpoint.path === healthPath,
  );
  if (isTaken)
    write({
      is: 'warning',
      message: `an endpoint answers at ${healthPath}: set HEALTH_PATH to another path`,
    });
  const api = new ServedApi({ database: databaseOf(settings), limits: DATABASE_LIMITS, calls }, tell, {
    isTrustedProxy,
    healthPath: isTaken ? undefined : healthPath,
    onAway: (error) => write({ is: 'database away', message: wordsOf(error) }),
  });
  const stop = (): void => {
    setTimeout(() => process.exit(0), STOP_MS).unref();
    void api.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  // So the log says at once if the database cannot be reached.
  api.connect();
  const services = (description.services ?? []).map((one) => ({ ...one, secret: secrets[one.service] }));
  for (const { service, secret } of services)
    if (secret === undefined)
      write({
        is: 'warning',
        message: `nobody can sign in with ${service}: set ${service.toUpperCase()}_SECRET`,
      });
  await api.define({
    ...description,
    services,
    ...(token !== undefined && { tokenHash: createHash('sha256').update(token).digest('hex') }),
  });
  const server = await api.listen({ host, port }).catch((error: unknown) => {
    throw placeProblem({ HOST: host, PORT: port }, error);
  });
  const at = server.address() as AddressInfo;
  write({ is: 'listening', host: at.address, port: at.port, definition: description.position });
};

const problemOf = (variable: string, value: string | undefined, wrong: string, remedy: string) =>
  new StartProblem(
    { variable, ...(value !== undefined && { value }) },
    { wrong, remedy, exitCode: WRONG_ENVIRONMENT },
  );

const definitionIn = (file: URL): StandaloneDefinition => {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<StandaloneDefinition>;
    if (Array.isArray(read.description?.endpoints)) return read as StandaloneDefinition;
  } catch {
    // Whether it is missing or was changed, there is only one thing to do.
  }
  throw problemOf('definition.json', undefined, 'is no definition of an API', 'download the folder again');
};

/** @param check throws if the text is not what the variable should name */
const pemIn = (variable: string, file: string, what: string, check: (text: string) => unknown): string => {
  try {
    const text = readFileSync(file, 'utf8');
    check(text);
    return text;
  } catch (error) {
    throw problemOf(variable, file, `has no ${what}: ${wordsOf(error)}`, 'set it to the path of a PEM file');
  }
};

const isCertificate = (text: string): X509Certificate => new X509Certificate(text);

const isIdentity = (text: string): void => {
  const problem = identityProblem(text);
  if (problem !== undefined) throw new Error(problem);
};

const databaseOf = ({ database, certificateFile, clientCertificateFile }: Settings): DatabaseAccess => ({
  ...database,
  ...(certificateFile !== undefined && {
    certificate: pemIn('DATABASE_CERTIFICATE_FILE', certificateFile, 'certificate', isCertificate),
  }),
  ...(clientCertificateFile !== undefined && {
    identity: pemIn(
      'DATABASE_CLIENT_CERTIFICATE_FILE',
      clientCertificateFile,
      'client certificate',
      isIdentity,
    ),
  }),
});

const wordsOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code);
};

const end = (error: unknown): void => {
  if (error instanceof StartProblem) console.error(error.message);
  else write(faultOf(error));
  setImmediate(() => process.exit(error instanceof StartProblem ? error.exitCode : 1));
};
