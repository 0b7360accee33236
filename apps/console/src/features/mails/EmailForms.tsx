/** Writing an e-mail, changing one that was written here, and sending one again. */
import { mails } from '@quarterdeck/contract';
import { emailFields, emailResendForm } from '@quarterdeck/events/inputs';
import type { EmailView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { DataView } from '../../ui/DataView';
import { useEditBase } from '../../ui/EditInPlace';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { recipientsOf, subjectOf } from './email-words';

const recipients: Field = {
  name: 'recipients',
  label: 'Recipients',
  type: 'text',
  placeholder: 'grace@example.org, ada@example.org',
  help: 'With commas between the addresses.',
  autoComplete: 'off',
};

const fields: readonly Field[] = [
  { name: 'from', label: 'From', type: 'text', placeholder: 'shop@example.org', autoComplete: 'off' },
  recipients,
  { name: 'subject', label: 'Subject', type: 'text', optional: true },
  { name: 'body', label: 'Body', type: 'textarea', rows: 12, sendsEmpty: true },
];

export const EmailAddPage = ({ base, product }: { base: string; product: string }) => {
  const navigate = useNavigate();
  const [add] = useChange(mails.insert);
  return (
    <>
      <PageHeader
        title="Add e-mail"
        description={
          <>
            It is recorded here and sent to nobody. <Link to={base}>Back to the e-mails</Link>
          </>
        }
      />
      <ResourceForm
        label="Add e-mail"
        schema={emailFields}
        fields={fields}
        submitLabel="Save e-mail"
        onCancel={() => void navigate(base)}
        onSubmit={async (data) => {
          const { id } = await add({ data: { ...data, product: { id: product } } }).unwrap();
          toast.success('The e-mail was saved.');
          await navigate(`${base}/${id}/edit`);
        }}
      />
    </>
  );
};

const same = (a: EmailView, b: EmailView): boolean =>
  a.body === b.body && a.subject === b.subject && a.from === b.from && a.state === b.state;

export const EmailEditPage = ({ base }: { base: string }) => {
  const { id = '' } = useParams();
  return (
    <DataView query={useAnswer(mails.detail, { id })} what="E-mail">
      {(email) => <Edit key={email.id} base={base} email={email} />}
    </DataView>
  );
};

const Edit = ({ base, email }: { base: string; email: EmailView }) => {
  const navigate = useNavigate();
  const [update] = useChange(mails.update);
  const { opened, revision, touch } = useEditBase(email, same);
  const initial = useMemo(() => {
    const { envelope, subject, body } = opened;
    return { from: envelope.from, recipients: envelope.recipients.join(', '), subject, body: body.trimEnd() };
  }, [opened]);
  const page = `${base}/${email.id}/edit`;
  return (
    <>
      <PageHeader
        title={`Edit ${subjectOf(opened)}`}
        description={<Link to={page}>Back to the e-mail</Link>}
      />
      <ResourceForm
        label="Edit e-mail"
        schema={emailFields}
        fields={fields}
        initial={initial}
        submitLabel="Save"
        onTouched={touch}
        onCancel={() => void navigate(page)}
        onSubmit={async (data, { current }) => {
          await update({ id: email.id, data, revision: revision(current) }).unwrap();
          toast.success('The e-mail was saved.');
          await navigate(page);
        }}
      />
    </>
  );
};

export const ResendPage = ({ base }: { base: string }) => {
  const { id = '' } = useParams();
  return (
    <DataView query={useAnswer(mails.detail, { id })} what="E-mail">
      {(email) => <Resend key={email.id} base={base} email={email} />}
    </DataView>
  );
};

const again: readonly Field[] = [recipients];

const Resend = ({ base, email }: { base: string; email: EmailView }) => {
  const navigate = useNavigate();
  const [resend] = useChange(mails.resend);
  const initial = useMemo(() => ({ recipients: recipientsOf(email) }), [email]);
  const page = `${base}/${email.id}/edit`;
  return (
    <>
      <PageHeader
        title={`Resend ${subjectOf(email)}`}
        description={
          <>
            Goes out as a new e-mail through the{' '}
            <Link to={paths.settings('mail-server')}>mail server of the workspace</Link>. The run shows
            whether the server accepts it. <Link to={page}>Back to the e-mail</Link>
          </>
        }
      />
      <ResourceForm
        label="Resend"
        schema={emailResendForm}
        fields={again}
        initial={initial}
        submitLabel="Resend e-mail"
        dirtyGuard={false}
        afterRefusal={() => 'Nothing was sent.'}
        onCancel={() => void navigate(page)}
        onSubmit={async ({ recipients: to }) => {
          const { runId } = await resend({ id: email.id, recipients: to }).unwrap();
          await navigate(paths.run(runId));
        }}
      />
    </>
  );
};
