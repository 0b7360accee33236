/** Explains why a database could not be opened, and names the field to check. Pure. */
import type { database, ValuesOf } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';

type DatabaseField = keyof ValuesOf<typeof database>;

export class DatabaseFailure extends DomainError {
  override readonly name = 'DatabaseFailure';

  constructor(
    readonly field: DatabaseField,
    msg: string,
    cause: unknown,
  ) {
    const { code } = (cause ?? {}) as { code?: unknown };
    super('upstream', msg, { [field]: msg }, typeof code === 'string' ? { code } : {});
    this.cause = cause;
  }
}

/** The connection attempt, in the terms of the form. */
export interface Tried {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly name: string;
  readonly type: string;
  readonly isEncrypted: boolean;
  /** With a certificate of the operator, and not only with the authorities that everybody trusts. */
  readonly hasCertificate: boolean;
  /** With a client certificate. */
  readonly hasIdentity: boolean;
}

type Failing = readonly [field: DatabaseField, msg: string];

/** Explains an error code of the operating system, the driver or the server. */
const byCode = (code: string, said: string, tried: Tried): Failing | undefined => {
  const { host, port, username, name, type } = tried;
  const at = `${host} port ${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return ['port', `Nothing listens at ${at}: the connection was refused. Check host and port.`];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['host', `The name ${host} could not be found. Check its spelling and its DNS record.`];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return ['host', `There is no way to ${host} from here. Check the address, routes and firewalls.`];
    case 'ETIMEDOUT':
      return /took the connection/.test(said)
        ? ['port', `${at} took the connection but did not answer as ${type} does. Check port and type.`]
        : ['host', `${at} did not answer in time. Check host and port, and that no firewall drops the port.`];
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR':
    case '28P01':
      return /certificate/.test(said)
        ? certificateWanted(said, tried)
        : ['password', `The server refused the user ${username} with this password. ${checking(tried)}`];
    case 'ER_BAD_DB_ERROR':
    case '3D000':
      return ['name', `The server has no database ${name}. Create it first, or correct the name.`];
    case 'ER_DBACCESS_DENIED_ERROR':
    case '42501':
      return ['name', `The user ${username} may not use the database ${name}. Grant it first.`];
    case '28000':
      if (/certificate/.test(said)) return certificateWanted(said, tried);
      return /no encryption/.test(said)
        ? [
            'certificate',
            `The server accepts only encrypted connections (${said}). Enter the certificate of its authority.`,
          ]
        : ['username', `The server does not accept the user ${username} from here (${said}).`];
    case 'ER_SECURE_TRANSPORT_REQUIRED':
      return [
        'certificate',
        'The server accepts only encrypted connections. Enter the certificate of its authority.',
      ];
    case 'ER_CON_COUNT_ERROR':
    case '53300':
      return ['host', `The server at ${at} has no connection left (${said}). Try again later.`];
    case 'HANDSHAKE_NO_SSL_SUPPORT':
      return notEncrypting(tried);
    case 'PLAIN_PASSWORD':
      return [
        'encryption',
        `The server at ${at} asks for the password without encryption, so it was not sent. Enter the certificate of its authority, or let it use scram-sha-256.`,
      ];
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return unproven(said, tried);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return ['certificate', `The server's certificate is not for ${host} (${said}).`];
    case 'PROTOCOL_CONNECTION_LOST':
    case 'ECONNRESET':
      return ['host', `${at} closed the connection. Check that it is a ${type} server.`];
    default:
      return undefined;
  }
};

const unproven = (said: string, { hasCertificate }: Tried): Failing => [
  'certificate',
  hasCertificate
    ? `The encryption could not be set up: the server's certificate is not from this authority (${said}).`
    : `The server's certificate is not from a public authority (${said}). Enter the certificate of its authority.`,
];

const certificateWanted = (said: string, { hasIdentity, username }: Tried): Failing => [
  'clientCertificate',
  hasIdentity
    ? `The server does not accept this client certificate for the user ${username} (${said}).`
    : `The server asks for a client certificate (${said}). Enter it with its private key.`,
];

/** Servers say the same of a user who has to show another certificate, and MySQL of one who has to use encryption. */
const checking = ({ isEncrypted, hasIdentity, type }: Tried): string => {
  if (hasIdentity) return 'Check both, and that the client certificate is the one of this user.';
  if (isEncrypted) return 'Check both, and whether it asks for a client certificate.';
  return type === 'MySQL' ? 'Check both, and whether it asks for encryption.' : 'Check both.';
};

const notEncrypting = ({ hasCertificate, host }: Tried): Failing =>
  hasCertificate
    ? ['certificate', 'The server does not encrypt connections, which the certificate asks for.']
    : [
        'encryption',
        `The server does not encrypt connections, and the address of ${host} is public: everybody on the way could read the password and the data.`,
      ];

const byWords = (said: string, tried: Tried): Failing | undefined => {
  const { host, port, type, isEncrypted } = tried;
  if (/does not support SSL/.test(said)) return notEncrypting(tried);
  if (/altnames|hostname\/IP/i.test(said))
    return ['certificate', `The server's certificate is not for ${host} (${said}).`];
  if (
    /error establishing an SSL|received (invalid|unexpected)|packets? out of order|unexpected packet/i.test(
      said,
    )
  )
    return ['dbType', `The service at ${host} port ${port} is not a ${type} server. Check port and type.`];
  const [, alert] = /:\w+ alert ([a-z ]*(?:certificate|unknown ca)[a-z ]*):/.exec(said) ?? [];
  if (alert !== undefined) return certificateWanted(alert, tried);
  if (/self-signed certificate|unable to (get (local )?issuer|verify the first) certificate/.test(said))
    return unproven(said, tried);
  if (isEncrypted && /certificate|SSL|TLS|PEM/.test(said))
    return ['certificate', `The encryption could not be set up: ${said}.`];
  return undefined;
};

export const databaseFailure = (error: unknown, tried: Tried): DatabaseFailure => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const said = message.trim().replace(/\.$/, '');
  const [field, msg] = byCode(code, said, tried) ??
    byWords(said, tried) ?? ['host', `${tried.host} port ${tried.port} could not be used: ${said || code}.`];
  return new DatabaseFailure(field, msg, error);
};
