/** What the calls about members and invitations accept; the forms of the console use the same schemas. */
import { invitationWays } from './people.events';
import { email, messages, object, oneOf, text, uuid } from './rules';

/** What an administrator can make somebody; superadministrators are made at the command line. */
export const memberRoles = ['member', 'admin'] as const;
const role = oneOf(memberRoles);

/** As GitHub has them: letters, digits and single dashes. */
const login = text(39).regex(/^[a-z\d](?:[a-z\d]|-(?=[a-z\d]))*$/i, { error: 'a GitHub login is expected' });

export const personRole = object({ id: uuid, role });
export const personName = object({ name: text(100) });

/** For whom it is stands in the field of its way; a link is for whoever has it. */
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
/** `name`: how the one who was invited is to be called. */
export const invitationAccept = object({ code: text(200), name: text(100) });
