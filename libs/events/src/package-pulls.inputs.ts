/** Input schemas of the deploy calls. The console's forms use the same schemas. */
import { listPageWithin } from './lists.inputs';
import { messages, object, text, uuid, webAddress } from './rules';
import { isShortened } from './shown-address';

const server = object({ id: uuid });

/** May contain a user name and a password. Only its `shownAddress` is recorded. */
const cdUrl = webAddress('https://ci.example.org/deploy/shop').refine((value) => !isShortened(value), {
  error: 'this is the shortened address from the log: enter the whole address',
});

/** `slug`: name of the package in the log. Default: the last part of the address. */
const slug = text(200).optional();
/**
 * Calls the continuous delivery address of a package, which deploys the newest version. `deployLog`: instead of an
 * address, a log entry whose address is called again. `serviceDeploy`: the service that the package belongs to.
 */
export const packagePullStart = object({
  server,
  cdUrl: cdUrl.optional(),
  deployLog: object({ id: uuid }).optional(),
  slug,
  serviceDeploy: object({ id: uuid }).optional(),
}).superRefine((input, { addIssue }) => {
  const refuse = (message: string) => addIssue({ code: 'custom', path: ['cdUrl'], message });
  if (input.cdUrl === undefined && input.deployLog === undefined) refuse(messages.required);
  if (input.cdUrl !== undefined && input.deployLog !== undefined)
    refuse('an address or an entry of the log is expected, not both');
});
/** Form schema of `deployPull`. */
export const packagePullForm = object({ cdUrl, slug, service: uuid.optional() });
export const pullLogPage = listPageWithin({ server: server.optional() });
export const pullLogs = object({ filters: object({ server: server.optional() }).optional() });
