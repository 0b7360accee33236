/**
 * `sign-in-link --workspace W [--email E] [--role R | --person ID]`: prints a one-time link, even while a back end runs.
 */
import { parseArgs } from 'node:util';
import { email as emailSchema, oneOf, text } from '@quarterdeck/events/inputs';
import type { Role } from '@quarterdeck/events';
import { LastingConnection } from '@quarterdeck/log/store';
import { Factors, People, Roles } from '../people';
import { Claims, Decisions } from '../platform/decisions';
import { type Command, parsed, UsageError } from '../platform/cli';
import { publicAddress } from '../platform/database';
import { caughtUpAlone, openLog, remake } from '../platform/boot';
import { SessionStore } from '../platform/sessions';
import { Workspaces } from '../workspaces';
import { Admission } from './admission';
import { SignInLinks, type LinkRequest } from './sign-in-links';

const roles = ['member', 'admin', 'superadmin'] as const satisfies readonly Role[];

const field = <T>(
  name: string,
  schema: {
    safeParse(value: unknown): { success: boolean; data?: T; error?: { issues: { message: string }[] } };
  },
  value: unknown,
): T => {
  const result = schema.safeParse(value);
  if (!result.success)
    throw new UsageError(`--${name}: ${result.error?.issues[0]?.message ?? 'is not accepted'}`);
  return result.data as T;
};

const requestOf = (args: string[]): LinkRequest => {
  const options = {
    workspace: { type: 'string' },
    email: { type: 'string' },
    role: { type: 'string' },
    person: { type: 'string' },
    'reset-second-factor': { type: 'boolean' },
  } as const;
  const { values } = parsed(() => parseArgs({ args, options, strict: true }));
  if (values.person !== undefined && values.role !== undefined)
    throw new UsageError('--person already has a role: leave out --role');
  return {
    workspace: field('workspace', text(100), values.workspace),
    role: field('role', oneOf(roles), values.role ?? 'admin'),
    actor: 'cli',
    ...(values['reset-second-factor'] && { resetSecondFactor: true as const }),
    ...(values.person === undefined ? {} : { person: values.person }),
    ...(values.email === undefined ? {} : { email: field('email', emailSchema, values.email) }),
  };
};

export const signInLinkCommand: Command = {
  usage: [
    'sign-in-link --workspace W [--email E] [--role admin|superadmin|member]',
    'sign-in-link --workspace W --person ID [--email E]    (a member whose e-mail was lost with the database)',
    'sign-in-link --workspace W --email E --role R --reset-second-factor    (a member who has lost theirs)',
  ],
  run: async (args, { config, logger, tables, print }) => {
    const request = requestOf(args);
    const log = await openLog({ config, logger, tables });
    const { pool, store } = log;
    try {
      const [claims, decisions] = [new Claims(pool), new Decisions(store)];
      const onFault = (error: unknown): void => logger.warn({ err: error }, 'sessions');
      // Not started: it only has to announce a changed role.
      const sessions = new SessionStore(pool, new LastingConnection({}, onFault), onFault);
      const people = new People(pool, decisions, claims, new Roles(pool, decisions, sessions));
      const workspaces = new Workspaces(decisions, claims);
      await remake(claims.owners, { pool, store, caughtUp: caughtUpAlone(config, log, logger) });
      const admission = new Admission(pool, decisions, sessions, workspaces, people, config);
      const factors = new Factors(pool, log.vault, decisions, sessions);
      const links = new SignInLinks(pool, decisions, workspaces, people, admission, config, factors);
      const code = await links.issue(request);
      print(`${await publicAddress(pool, config)}/login?code=${code}`);
      return 0;
    } finally {
      await log.close();
    }
  },
};
