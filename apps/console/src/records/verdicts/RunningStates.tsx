/** The verdicts of the services that run somewhere, wherever one looks first: each with its version. */
import { deploys } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { useSession } from '../../core/session';
import { ReleaseState } from './ReleaseState';
import type { Release } from './release-words';

interface RunningStatesProps {
  of: (release: Release) => boolean;
  /** With the names of the services. */
  named?: boolean;
}

export const RunningStates = ({ of, named = false }: RunningStatesProps) => {
  const { can } = useSession();
  const { data: running } = useAnswer(deploys.running, {}, { skip: !can('admin') });
  return running?.filter(of).map((one) => (
    <span key={one.id}>
      {' '}
      {named && `${one.service.name} `}
      {one.package.version} <ReleaseState release={one} />
    </span>
  ));
};
