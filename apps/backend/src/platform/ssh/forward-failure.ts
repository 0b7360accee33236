import { SshFailure } from './failure';
import type { ForwardTo, SshTarget } from './target';

/** RFC 4254, 5.1. The other reasons mean that the server could not connect. */
const PROHIBITED = 1;

/** Why a server did not connect us to another address. */
export const forwardFailure = (
  error: Error & { reason?: number | string },
  { host: server, username }: SshTarget,
  { host, port }: ForwardTo,
): SshFailure => {
  const said = error.message.replace(/^\(SSH\) Channel open failure: /, '');
  if (error.reason === PROHIBITED) {
    const words =
      `${server} let ${username} in but does not forward connections to ${host} port ${port} (${said}). ` +
      'Check AllowTcpForwarding and PermitOpen in its sshd_config, and the restrictions of the key in authorized_keys.';
    return new SshFailure('forwardRefused', words, { cause: error });
  }
  const words = `${server} could not connect to ${host} port ${port} (${said}). Check host and port as that server sees them.`;
  return new SshFailure('forwardFailed', words, { cause: error });
};
