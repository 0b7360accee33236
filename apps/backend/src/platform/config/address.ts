/** Shows addresses without credentials and without anything that may be one. */

/** Parameters of the drivers whose values are not secret. */
const PLAIN = new Set(
  (
    'host port dbname application_name options connect_timeout sslmode sslcert sslkey sslrootcert tls tlscafile ' +
    'tlsverifycert usercertfile userkeyfile nodepreference connectionname defaultdeadline discoveryinterval ' +
    'gossiptimeout maxdiscoverattempts keepaliveinterval keepalivetimeout throwonappendfailure'
  ).split(' '),
);

const plainParameters = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = '', value] = pair.split(/=(.*)/s);
      return value === undefined || PLAIN.has(name.toLowerCase()) ? pair : `${name}=***`;
    })
    .join('&');

/** `undefined` if it is not an address: it may be a secret in the wrong variable. */
export const withoutSecrets = (address: string): string | undefined => {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(address.trim()) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  // The host is after the last @: an unencoded password may contain any other character of an address.
  const [place = '', query] = rest.slice(rest.lastIndexOf('@') + 1).split(/\?(.*)/s);
  return `${scheme}${place}${query === undefined ? '' : `?${plainParameters(query)}`}`;
};

/** The value of a variable as it may be shown. */
export const shownValue = (variable: string, value: string): string | undefined => {
  if (/KEY|SECRET|TOKEN|_CLIENT_ID$/.test(variable)) return undefined;
  return variable.endsWith('_URL') ? withoutSecrets(value) : value;
};
