/** The e-mails of a product, as a tab of its page. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { part } from '../../ui/part';
import { EmailList } from './EmailList';
import { EmailPage } from './EmailPage';
import { IntakePage } from './IntakePage';

export const MailServerSettings = part(
  () => import('./MailServerSettings').then((all) => ({ default: all.MailServerSettings })),
  'Loading the settings of the mail server',
);

const EmailAddPage = part(
  () => import('./EmailForms').then((all) => ({ default: all.EmailAddPage })),
  'Loading the form',
);
const EmailEditPage = part(
  () => import('./EmailForms').then((all) => ({ default: all.EmailEditPage })),
  'Loading the form',
);
const ResendPage = part(
  () => import('./EmailForms').then((all) => ({ default: all.ResendPage })),
  'Loading the form',
);

interface MailsProps {
  /** The address of the list. */
  base: string;
  product: string;
}

export const Mails = ({ base, product }: MailsProps) => (
  <AreaRoutes>
    <Route index element={<EmailList base={base} product={product} />} />
    <Route path="add" element={<EmailAddPage base={base} product={product} />} />
    <Route path="intake" element={<IntakePage base={base} product={product} />} />
    <Route path=":id/edit" element={<EmailPage base={base} />} />
    <Route path=":id/change" element={<EmailEditPage base={base} />} />
    <Route path=":id/resend" element={<ResendPage base={base} />} />
  </AreaRoutes>
);
