import { lazy } from 'react';
import { Route, Routes } from 'react-router';
import { ScriptListPage } from './ScriptListPage';

// Forms and differences come when they are needed.
const ScriptAddPage = lazy(() => import('./ScriptAddPage').then((page) => ({ default: page.ScriptAddPage })));
const ScriptPage = lazy(() => import('./ScriptPage').then((page) => ({ default: page.ScriptPage })));

export default function Scripts() {
  return (
    <Routes>
      <Route path="add" element={<ScriptAddPage />} />
      <Route path=":id/detail" element={<ScriptPage />} />
      <Route path="*" element={<ScriptListPage />} />
    </Routes>
  );
}
