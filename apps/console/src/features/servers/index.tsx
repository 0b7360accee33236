import { Route, Routes } from 'react-router';
import { pagePart } from '../../ui/part';
import { ServerListPage } from './ServerListPage';
import type { ServerTab } from './ServerPage';

// The list is usually opened first, so the other pages are loaded only when needed.
const ServerAddPage = pagePart(() =>
  import('./ServerAddPage').then((page) => ({ default: page.ServerAddPage })),
);
const ServerPage = pagePart(() => import('./ServerPage').then((page) => ({ default: page.ServerPage })));

interface ServersProps {
  /** Tabs that other features add to the server page. */
  tabs?: readonly ServerTab[];
}

const none: ServerTab[] = [];

export default function Servers({ tabs = none }: ServersProps) {
  return (
    <Routes>
      <Route path="add" element={<ServerAddPage />} />
      <Route path=":id/detail" element={<ServerPage tabs={tabs} />} />
      {/* Per the specification, any other path shows the list. */}
      <Route path="*" element={<ServerListPage />} />
    </Routes>
  );
}
