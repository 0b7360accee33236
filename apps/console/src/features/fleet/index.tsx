import { lazy } from 'react';
import { Route, Routes } from 'react-router';
import { FleetPage } from './FleetPage';

const FleetRunPage = lazy(() => import('./FleetRunPage').then((page) => ({ default: page.FleetRunPage })));

export default function Fleet() {
  return (
    <Routes>
      <Route index element={<FleetPage />} />
      <Route path=":id" element={<FleetRunPage />} />
    </Routes>
  );
}
