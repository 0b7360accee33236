import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { pagePart } from '../../ui/part';
import { ScriptListPage } from './ScriptListPage';

// Forms and diffs are loaded on demand.
const ScriptAddPage = pagePart(() =>
  import('./ScriptAddPage').then((page) => ({ default: page.ScriptAddPage })),
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
