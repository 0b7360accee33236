/** The e-mails of a product, as a tab of its page. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { EmailAddPage, EmailEditPage, ResendPage } from './EmailForms';
import { EmailList } from './EmailList';
import { EmailPage } from './EmailPage';
import { IntakePage } from './IntakePage';

export { MailServerSettings } from './MailServerSettings';

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
