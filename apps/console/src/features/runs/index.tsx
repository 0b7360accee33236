import { Route, Routes } from 'react-router';
import { RunListPage } from './RunListPage';
import { RunPage } from './RunPage';

export default function Runs() {
  return (
    <Routes>
      <Route index element={<RunListPage />} />
      <Route path=":id" element={<RunPage />} />
    </Routes>
  );
}
