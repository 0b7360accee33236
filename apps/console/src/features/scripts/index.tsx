import { script } from '@quarterdeck/events';
import { Route } from 'react-router';
import { paths } from '../../core/paths';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { pagePart } from '../../ui/part';
import { ScriptListPage } from './ScriptListPage';

// Forms and diffs are loaded on demand.
const ScriptAddPage = pagePart(() =>
  import('../../records/kit').then(({ PlainAdd }) => ({
    default: () => <PlainAdd noun={script} base={paths.scripts()} note="Saving does not run it." />,
  })),
);
const ScriptPage = pagePart(() => import('./ScriptPage').then((page) => ({ default: page.ScriptPage })));

export default function Scripts() {
  return (
    <AreaRoutes>
      <Route path="add" element={<ScriptAddPage />} />
      <Route path=":id/detail" element={<ScriptPage />} />
      <Route index element={<ScriptListPage />} />
    </AreaRoutes>
  );
}
