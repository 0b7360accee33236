/** The next step after a failure, by its code. Pure. */
import { endedBeforeWork, type RunView } from '@quarterdeck/projections';
import { paths } from '../../core/paths';

export interface NextStep {
  words: string;
  link?: { label: string; to: string };
}

const hostKey = (server: string): Required<NextStep> => ({
  words: 'Compare the two host keys. Accept the new one only if you know why it changed.',
  link: { label: 'Compare the two host keys', to: paths.server(server) },
});
const key = (server: string): Required<NextStep> => ({
  words: 'Replace the private key with one that the server accepts, then retry.',
  link: { label: 'Replace the private key', to: paths.serverKey(server) },
});
const address = (server: string): Required<NextStep> => ({
  words: 'Check that the server is running and its address is correct, then retry.',
  link: { label: 'Edit the address', to: paths.serverEdit(server) },
});

const remedies = new Map([
  ['hostKeyChanged', hostKey],
  ...['authentication', 'badKey', 'passphraseMissing', 'passphraseWrong'].map((code) => [code, key] as const),
  ...['refused', 'unknownHost', 'unreachable', 'notSsh'].map((code) => [code, address] as const),
]);

/** How and where to fix a failed connection to a server, by error code; `undefined` if operators can only wait. */
export const remedyOf = (code: string | undefined, server: string): Required<NextStep> | undefined =>
  remedies.get(code ?? '')?.(server);

export const nextStepOf = (
  run: Pick<RunView, 'code' | 'kind' | 'id' | 'subject' | 'serverId' | 'steps'>,
): NextStep => {
  const { code = '', serverId: server, subject } = run;
  if (run.kind === 'fleet')
    return {
      words: 'Compare the servers that failed, then run it again on those.',
      link: { label: 'Servers of this run', to: paths.fleetRun(run.id) },
    };
  const remedy = endedBeforeWork(run) ? remedyOf(code, server) : undefined;
  if (remedy) return remedy;
  if (code === 'drifted' && subject.kind === 'domain')
    return {
      words: 'Choose which configuration to keep: the one on the server, or the one from here.',
      link: { label: 'Compare with server', to: paths.domain(subject.id, 'config') },
    };
  if (run.kind === 'deployService') {
    if (code === 'login' || code === 'noLogin')
      return {
        words: 'Store a login for the registry, then retry.',
        link: { label: 'Container registries', to: paths.settings('registries') },
      };
    if (code === 'registry') return { words: 'Retry when the registry answers.' };
    if (code === 'noImage') return { words: 'Retry when the image is published.' };
  }
  if (subject.kind === 'database')
    return { words: 'Fix the cause in the database, then try again. Completed steps are not repeated.' };
  if (code === 'timeout') return { words: 'Find out what took so long on the server, then retry.' };
  return { words: 'Fix the cause on the server, then retry. Successful steps are not repeated.' };
};
