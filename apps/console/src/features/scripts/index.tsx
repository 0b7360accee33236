import { lazy } from 'react';
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { ScriptListPage } from './ScriptListPage';

// Forms and differences come when they are needed.
const ScriptAddPage = lazy(() => import('./ScriptAddPage').then((page) => ({ default: page.ScriptAddPage })));
const ScriptPage = lazy(() => import('./ScriptPage').then((page) => ({ default: page.ScriptPage })));

export default function Scripts() {
  return (
    <AreaRoutes>
      <Route path="add" element={<ScriptAddPage />} />
      <Route path=":id/detail" element={<ScriptPage />} />
      <Route index element={<ScriptListPage />} />
    </AreaRoutes>
  );
}
