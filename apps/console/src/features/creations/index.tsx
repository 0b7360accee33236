/** The create wizard and the container flow. */
import { creations } from '@quarterdeck/contract';
import type { CreationKind } from '@quarterdeck/events';
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { useAnswer } from '../../core/calls';
import { pagePart, quietPart } from '../../ui/part';

const CreationPage = pagePart(() => import('./CreationPage').then((all) => ({ default: all.CreationPage })));
const NewCreation = pagePart(() => import('./CreationPage').then((all) => ({ default: all.NewCreation })));

const UnfinishedCreations = quietPart(() =>
  import('./Unfinished').then((all) => ({ default: all.Unfinished })),
);

/** For Home, which mostly has none to show, and then loads no more than the question. */
export const Unfinished = () => {
  const { data = [] } = useAnswer(creations.list, { open: true });
  return data.length > 0 && <UnfinishedCreations />;
};

const Area = ({ kind }: { kind: CreationKind }) => (
  <AreaRoutes>
    <Route index element={<NewCreation kind={kind} />} />
    <Route path=":id" element={<CreationPage kind={kind} />} />
  </AreaRoutes>
);

export const Create = () => <Area kind="product" />;
export const CreateDocker = () => <Area kind="container" />;
