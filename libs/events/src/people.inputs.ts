/** Input schemas of the calls about members and invitations. The console's forms use the same schemas. */
import { invitationWays } from './people.events';
import { listPageWithin } from './lists.inputs';
import { array, boolean, email, messages, object, oneOf, text, uuid } from './rules';

/** Roles that an administrator can give. Superadministrators are made on the command line. */
export const memberRoles = ['member', 'admin'] as const;
const role = oneOf(memberRoles);

/** GitHub's rules for logins: letters, digits and single dashes. */
const login = text(39).regex(/^[a-z\d](?:[a-z\d]|-(?=[a-z\d]))*$/i, { error: 'a GitHub login is expected' });

/** `former`: true for removed members only, false for current members only. Default: both. */
export const personPage = listPageWithin({ former: boolean.optional() });
export const personRole = object({ id: uuid, role });
export const personName = object({ name: text(100) });

/** `via: github` requires `login`, `via: email` requires `email`. A link admits whoever has it. */
export const invitationInsert = object({
  role,
  via: oneOf(invitationWays),
  login: login.optional(),
  email: email.optional(),
}).superRefine((input, { addIssue }) => {
  for (const [field, way] of [
    ['login', 'github'],
    ['email', 'email'],
  ] as const) {
    const given = input[field] !== undefined;
    if (given === (input.via === way)) continue;
    addIssue({ code: 'custom', path: [field], message: given ? messages.unknownKey : messages.required });
  }
});
export const invitationCode = object({ code: text(200) });
/** `name`: the name that the invited person chose. */
export const invitationAccept = object({ code: text(200), name: text(100) });

/** `mark` identifies the current content of a notice. A changed mark means that something new has happened. */
export const noticesRemember = object({
  notices: array(object({ id: text(200), mark: text(500) }), 500),
  state: oneOf(['seen', 'dismissed']),
});
