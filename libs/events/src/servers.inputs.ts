/** Input schemas of the server calls. The console's forms use the same schemas. */
import { MAX_SERVERS } from './fleet.inputs';
import { host } from './host';
import { listPageWithin } from './lists.inputs';
import { array, integer, longText, numericId, object, optionalText, text, uuid } from './rules';
import { isFolder, isServedFolder, siteErrors } from './site-grammar';

export const DEFAULT_PORT = 22;
export const DEFAULT_PATH = '/root/volumes/static';
export const DEFAULT_NGINX_PATH = '/root/volumes/nginx_config';

const username = text(64).regex(/^[A-Za-z0-9_][A-Za-z0-9_.@-]*\$?$/, {
  error: 'a user name of the server is expected',
});
const port = numericId(65535);
const path = text(1024)
  .regex(/^\//, { error: 'an absolute path is expected, such as /root', abort: true })
  .refine(isFolder, { error: siteErrors.folder });
/** Its files are served or included by nginx: not the whole file system, and no name with a special meaning there. */
const nginxFolder = path
  .refine(isServedFolder, { error: siteErrors.servedFolder, abort: true })
  .refine((value) => !/[*?[\]()#&|<>!^]/.test(value), {
    error: 'the folder itself is expected, such as /etc/nginx/conf.d, without * and other special characters',
  });

const editable = {
  alias: text(100),
  host,
  port: port.optional(),
  username,
  root: path,
  path: path.refine(isServedFolder, { error: siteErrors.servedFolder }),
  nginxPath: nginxFolder,
};

const key = { privateKey: longText(32_768), passphrase: optionalText(1024) };

/** `ids`: only these servers. */
export const serverPage = listPageWithin({ ids: array(uuid, MAX_SERVERS).optional() });
export const serverInsert = object({ ...editable, ...key });
/** `revision`: the one that the editor saw. A later change by somebody else is a conflict. */
export const serverUpdate = object({ id: uuid, data: object(editable), revision: integer().optional() });
/** Form schema of `serverUpdate`. */
export const serverEdit = object(editable);
export const serverKeyUpdate = object({ id: uuid, ...key });
export const serverKey = object(key);
/** `alias`: typed by the operator as confirmation. */
export const serverDelete = object({ id: uuid, alias: optionalText(100) });
/**
 * `runId`: chosen by the caller, so that they can watch the run from its first byte. The same id again joins the same
 * run.
 */
export const serverExecCmd = object({ id: uuid, cmdType: numericId(10), runId: uuid.optional() });
/** For both set-ups of a server, which are runs. `runId`: as above. */
export const serverSetup = object({ id: uuid, runId: uuid.optional() });
export const serverHostKeyAccept = object({ id: uuid, fingerprint: text(100) });
