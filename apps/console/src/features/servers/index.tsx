import { Route, Routes } from 'react-router';
import { pagePart } from '../../ui/part';
import { ServerListPage } from './ServerListPage';
import type { ServerTab } from './ServerPage';

// The list is what is opened first; forms and run output come when they are needed.
const ServerAddPage = pagePart(() =>
  import('./ServerAddPage').then((page) => ({ default: page.ServerAddPage })),
);
const ServerPage = pagePart(() => import('./ServerPage').then((page) => ({ default: page.ServerPage })));

interface ServersProps {
  /** What other features put on the page of a server. */
  tabs?: readonly ServerTab[];
}

const none: ServerTab[] = [];

export default function Servers({ tabs = none }: ServersProps) {
  return (
    <Routes>
      <Route path="add" element={<ServerAddPage />} />
      <Route path=":id/detail" element={<ServerPage tabs={tabs} />} />
      {/* The specification: any other path of the area is the list. */}
      <Route path="*" element={<ServerListPage />} />
    </Routes>
  );
}
