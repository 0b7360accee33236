/** The server through which e-mails are sent again, as a section of the workspace settings. */
import { workspaces } from '@quarterdeck/contract';
import { mailServerForm } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';
import type { Field } from '../../ui/ResourceForm';

type Setting = WorkspaceView['mailServer'];

const securities = [
  { value: 'tls', label: 'TLS from the start (often port 465)' },
  { value: 'starttls', label: 'STARTTLS (often port 587)' },
  { value: 'none', label: 'None: everybody on the network in between can read along' },
];

const fieldsOf = ({ server }: Setting): readonly Field[] => [
  {
    name: 'server.host',
    label: 'Host',
    type: 'text',
    mono: true,
    optional: true,
    placeholder: 'smtp.example.org',
    help: 'If empty, no e-mail can be sent again.',
  },
  { name: 'server.port', label: 'Port', type: 'number', optional: true },
  { name: 'server.security', label: 'Encryption', type: 'select', options: securities },
  {
    name: 'server.signIn',
    label: 'Sign in with a user name and a password',
    type: 'checkbox',
    ...(server?.secret && { help: 'If not, the stored ones are removed.' }),
  },
  {
    name: 'server.username',
    label: 'User name',
    type: 'text',
    optional: true,
    autoComplete: 'off',
    // It is in the vault with its password, so the form does not show it.
    ...(server?.secret && { help: 'If empty, the stored one stays.' }),
  },
  {
    name: 'server.password',
    label: 'Password',
    type: 'secret',
    optional: true,
    ...(server?.secret && { stored: { fingerprint: server.secret.fingerprint } }),
  },
];

const inForm = ({ server }: Setting) =>
  server
    ? {
        server: {
          host: server.host,
          port: server.port,
          security: server.security,
          signIn: server.secret !== undefined,
        },
      }
    : { server: { port: 465, security: 'tls', signIn: false } };

export const MailServerSettings = ({ workspace }: { workspace: WorkspaceView }) => {
  const { server } = workspace.mailServer;
  const [configure] = useChange(workspaces.mailServer);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="mailServer"
      title="Mail server"
      name="mail-server"
      note="E-mails of products are sent again through this server. Without one, they can only be read."
      facts={[
        ['Server', server ? `${server.host}:${server.port}` : 'None'],
        ...(server
          ? ([
              ['Encryption', server.security === 'none' ? 'None' : server.security.toUpperCase()],
              ['Signs in', server.secret ? `with a password (${server.secret.fingerprint})` : 'No'],
            ] as const)
          : []),
      ]}
      schema={mailServerForm}
      fields={fieldsOf}
      inForm={inForm}
      save={({ server: { host = '', port = 0, ...rest } }, revision) =>
        configure({ ...(host !== '' && { server: { ...rest, host, port } }), revision }).unwrap()
      }
      saved="The mail server was saved."
    />
  );
};
