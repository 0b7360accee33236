/** What the calls about deploys accept; the forms of the console use the same schemas. */
import { messages, object, text, uuid, webAddress } from './rules';
import { isShortened } from './shown-address';

const server = object({ id: uuid });

/** Also with a name and a password; see `shownAddress` for what is recorded of it. */
const cdUrl = webAddress('https://ci.example.org/deploy/shop').refine((value) => !isShortened(value), {
  error: 'this is the shortened address that the log shows: give the whole address',
});

/** `slug`: what the package is called in the log; left out, the last part of the address. */
const slug = text(200).optional();
/**
 * Has the address of a package's continuous delivery deploy its newest version. `deployLog`: in place of the address, an
 * entry of the log whose address is asked again.
 */
export const deployPull = object({
  server,
  cdUrl: cdUrl.optional(),
  deployLog: object({ id: uuid }).optional(),
  slug,
}).superRefine((input, { addIssue }) => {
  const refuse = (message: string) => addIssue({ code: 'custom', path: ['cdUrl'], message });
  if (input.cdUrl === undefined && input.deployLog === undefined) refuse(messages.required);
  if (input.cdUrl !== undefined && input.deployLog !== undefined)
    refuse('an address or an entry of the log is expected, not both');
});
/** The form's part of `deployPull`. */
export const deployPullForm = object({ cdUrl, slug });
export const deployLogs = object({ filters: object({ server: server.optional() }).optional() });
