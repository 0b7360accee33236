import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { pagePart } from '../../ui/part';
import { MembersPage } from './MembersPage';
import { PersonPage } from './PersonPage';

// The forms are loaded only when needed.
export const InvitationPage = pagePart(() =>
  import('./InvitationPage').then((page) => ({ default: page.InvitationPage })),
);
const InvitePage = pagePart(() => import('./InvitePage').then((page) => ({ default: page.InvitePage })));

export default function Members() {
  return (
    <AreaRoutes>
      <Route path="invite" element={<InvitePage />} />
      <Route path=":id" element={<PersonPage />} />
      <Route index element={<MembersPage />} />
    </AreaRoutes>
  );
}
