/** A real bind9 inside a throw-away server's network, whose zone can be changed from this machine over TCP. */
import { quote } from '../apps/backend/src/platform/ssh/quote';
import { makeKey, zoneText, type BindKey } from './bind';
import type { ThrowawayHost } from './throwaway-host';

/** What it is started on. */
interface Ground {
  host: Pick<ThrowawayHost, 'gate'>;
  /** Runs a line on the server as root; throws unless it succeeds. */
  inside(line: string): Promise<string>;
}

export interface BindInside {
  /** For programs of the server. */
  server: string;
  /** For this machine. */
  host: string;
  port: number;
  zone: string;
  key: BindKey;
  /** Texts of the TXT records of a name. */
  texts(name: string): Promise<string[]>;
}

const FOLDER = '/root/zone';

/** @param records lines of the zone file, besides SOA and NS */
export const startBindInside = async (
  { host, inside }: Ground,
  zone: string,
  records: readonly string[],
): Promise<BindInside> => {
  const { key, text } = makeKey('quarterdeck', 'hmac-sha256');
  const put = (path: string, lines: string): Promise<string> =>
    inside(`printf '%s' ${quote(lines)} > ${path}`);
  await inside(`mkdir -p ${FOLDER}`);
  await put(`${FOLDER}/zone`, `${zoneText(zone)}${records.join('\n')}\n`);
  const options = [
    `directory "${FOLDER}"; pid-file "${FOLDER}/named.pid"; session-keyfile "${FOLDER}/session.key";`,
    `managed-keys-directory "${FOLDER}"; listen-on port 53 { 127.0.0.1; }; listen-on-v6 { none; };`,
    'recursion no; notify no; dnssec-validation no;',
  ];
  await put(
    `${FOLDER}/named.conf`,
    `${text}\ncontrols { };\noptions { ${options.join('\n')} };
zone "${zone}" { type primary; file "${FOLDER}/zone"; allow-update { key quarterdeck; }; };\n`,
  );
  await inside(
    `systemd-run --quiet --collect --unit=zone /usr/sbin/named -g -n 1 -c ${FOLDER}/named.conf
    until dig +short +tries=1 +time=1 @127.0.0.1 ${zone} SOA | grep -q .; do sleep 0.1; done`,
  );
  return {
    server: '127.0.0.1:53',
    host: '127.0.0.1',
    port: await host.gate(53),
    zone,
    key,
    texts: async (name) =>
      (await inside(`dig +short @127.0.0.1 ${name} TXT`))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replaceAll('"', '')),
  };
};
