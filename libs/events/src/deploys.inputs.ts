/** What the calls about deploys accept; the forms of the console use the same schemas. */
import { object, text, uuid, webAddress } from './rules';

const server = object({ id: uuid });

const cdUrl = webAddress('https://ci.example.org/deploy/shop');

/** `slug`: what the package is called in the log; left out, the last part of the address. */
const what = { cdUrl, slug: text(200).optional() };
/** Has the address of a package's continuous delivery deploy its newest version. */
export const deployPull = object({ server, ...what });
/** The form's part of `deployPull`. */
export const deployPullForm = object(what);
export const deployLogs = object({ filters: object({ server: server.optional() }).optional() });
