/** What can be done after a run failed, by the code of its failure. Pure. */
import type { RunView } from '@quarterdeck/projections';
import { paths } from '../../core/paths';

export interface NextStep {
  words: string;
  link?: { label: string; to: string };
}

const KEY = ['authentication', 'badKey', 'passphraseMissing', 'passphraseWrong'];
const ADDRESS = ['refused', 'unknownHost', 'unreachable', 'notSsh'];

export const nextStepOf = (run: Pick<RunView, 'code' | 'kind' | 'id' | 'subject' | 'serverId'>): NextStep => {
  const { code = '', serverId: server, subject } = run;
  if (run.kind === 'fleet')
    return {
      words: 'Look at the servers that failed, and run it again on those.',
      link: { label: 'Servers of this run', to: paths.fleetRun(run.id) },
    };
  if (code === 'hostKeyChanged')
    return {
      words: 'Compare the two host keys. Accept the new one only if you know why it changed.',
      link: { label: 'Compare the two host keys', to: paths.server(server) },
    };
  if (KEY.includes(code))
    return {
      words: 'Give the server a private key that it accepts, then retry.',
      link: { label: 'Replace the private key', to: paths.serverKey(server) },
    };
  if (ADDRESS.includes(code))
    return {
      words: 'Check that the server runs and that its address is right, then retry.',
      link: { label: 'Edit the address', to: paths.serverEdit(server) },
    };
  if (code === 'drifted' && subject.kind === 'domain')
    return {
      words: 'Decide which configuration counts: the one on the server, or the one from here.',
      link: { label: 'Compare with server', to: paths.domain(subject.id, 'config') },
    };
  if (code === 'timeout')
    return { words: 'Find out what took so long on the server, then retry from this step.' };
  return { words: 'Fix the cause on the server, then retry: steps that succeeded are not done again.' };
};
