/** Signs in to the workspace that the story of a busy log is told in. */
import { runCommand } from '../testing/backend-process';
import { operator, type Operator } from '../testing/operator';

export const busySignIn = async (url: string, databaseUrl: string): Promise<Operator> => {
  const who = ['--workspace', 'busy', '--role', 'superadmin', '--email', 'bench@example.org'];
  const { stdout, stderr } = await runCommand(['sign-in-link', ...who], { databaseUrl });
  const code = /code=(\S+)/.exec(stdout)?.[1];
  if (code === undefined) throw new Error(`no link: ${stderr}`);
  return operator(url).signIn(code);
};
