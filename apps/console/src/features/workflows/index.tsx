/** Workflows: a list, an editor, instances that are watched and forked, and what waits for somebody. */
import { workflows } from '@quarterdeck/contract';
import type { ReactNode } from 'react';
import { Navigate, Route, useParams } from 'react-router';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { AreaRoutes, PageNotFound } from '../../ui/AreaRoutes';
import { part, quietPart } from '../../ui/part';
import { RequireRole } from '../../ui/RequireRole';

const WorkflowList = part(
  () => import('./WorkflowList').then((all) => ({ default: all.WorkflowList })),
  'Loading workflows',
);
const WorkflowAdd = part(() => import('./WorkflowAdd'), 'Loading the form');
const WaitingPage = part(
  () => import('./Waiting').then((all) => ({ default: all.WaitingPage })),
  'Loading what waits for you',
);
const Waiting = quietPart(() => import('./Waiting').then((all) => ({ default: all.WaitingOnHome })));

/** For Home, where mostly nothing waits: then it loads no more than the question. */
export const WaitingOnHome = () => {
  const { data } = useAnswer(workflows.waiting, {}, { skip: useAsOf() !== undefined });
  return data !== undefined && data.total > 0 && <Waiting />;
};

const WorkflowPage = part(() => import('./WorkflowPage'), 'Loading workflow');
const PartPage = part(() => import('./PartPage'), 'Loading');

/** The addresses that every noun has, for links of the history. */
const ToWorkflow = () => <Navigate to={paths.workflow(useParams()['id'] ?? '')} replace />;
const ToPart = () => {
  const { id = '', list = '', part: of = '' } = useParams();
  const to = {
    node: paths.workflowPart(id, of),
    instance: paths.workflowPart(id, of),
    transition: paths.workflow(id, 'editor', of),
    trigger: paths.workflow(id, 'triggers', of),
    version: paths.workflow(id, 'versions'),
  }[list];
  return to === undefined ? <PageNotFound /> : <Navigate to={to} replace />;
};

const admin = (page: ReactNode) => <RequireRole least="admin">{page}</RequireRole>;

export default function Workflows() {
  return (
    <AreaRoutes>
      <Route path="waiting" element={<WaitingPage />} />
      <Route index element={admin(<WorkflowList />)} />
      <Route path="add" element={admin(<WorkflowAdd />)} />
      <Route path=":id/edit" element={admin(<WorkflowPage />)} />
      <Route path=":id/edit/:part/edit" element={admin(<PartPage />)} />
      <Route path=":id/detail" element={<ToWorkflow />} />
      <Route path=":id/detail/:list/:part/:mode" element={<ToPart />} />
    </AreaRoutes>
  );
}
