/** The services with which users of a generated API sign in: their options, and the addresses that belong to them. Pure. */

export const oauthServices = ['google', 'zoho', 'microsoft', 'github', 'apple', 'swissid'] as const;
export type OauthService = (typeof oauthServices)[number];

export const oauthServiceNames: Readonly<Record<OauthService, string>> = {
  google: 'Google',
  zoho: 'Zoho',
  microsoft: 'Microsoft',
  github: 'GitHub',
  apple: 'Apple',
  swissid: 'SwissID',
};

/** Beyond client and secret. The first ones are required. */
export const oauthOptions: Readonly<
  Record<OauthService, Readonly<{ required: readonly string[]; optional: readonly string[] }>>
> = {
  google: { required: [], optional: [] },
  github: { required: [], optional: [] },
  // Its secret is the text of the .p8 file.
  apple: { required: ['teamId', 'keyId'], optional: ['page'] },
  microsoft: { required: [], optional: ['tenant'] },
  swissid: { required: ['issuer'], optional: [] },
  zoho: { required: [], optional: ['dataCentre'] },
};

/** Published by Zoho. A secret is sent to no other. */
export const zohoDataCentres = ['com', 'eu', 'in', 'com.au', 'jp', 'ca', 'sa', 'uk', 'com.cn'] as const;

export type OauthOptions = Readonly<Record<string, string>>;

const zohoAccounts = (dataCentre: string): string =>
  dataCentre === 'ca' ? 'https://accounts.zohocloud.ca' : `https://accounts.zoho.${dataCentre}`;

/** Addresses of a service: the first is where users begin. The others are those it may send a client to. */
export const issuersOf = (
  service: OauthService,
  { tenant = 'common', issuer = '', dataCentre = 'com' }: OauthOptions,
): string[] => {
  switch (service) {
    case 'google':
      return ['https://accounts.google.com'];
    case 'github':
      return ['https://github.com'];
    case 'apple':
      return ['https://appleid.apple.com'];
    case 'microsoft':
      return [`https://login.microsoftonline.com/${tenant}/v2.0`];
    case 'swissid':
      return [issuer];
    case 'zoho':
      return [dataCentre, ...zohoDataCentres.filter((one) => one !== dataCentre)].map(zohoAccounts);
  }
};

export const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i;
export const SECURE = /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i;

export const refusedOptions = (
  options: OauthOptions,
  all: Readonly<Record<string, unknown>>,
): string | undefined => {
  const known = oauthOptions[all['service'] as OauthService];
  if (!known) return undefined;
  const accepted = [...known.required, ...known.optional];
  const unknown = Object.keys(options).find((key) => !accepted.includes(key));
  if (unknown !== undefined)
    return accepted.length === 0
      ? `${String(all['service'])} takes no options`
      : `${unknown} is no option of ${String(all['service'])}: it takes ${accepted.join(' and ')}`;
  const lost = known.required.find((key) => !options[key]);
  if (lost !== undefined) return `${String(all['service'])} needs the option ${lost}`;
  const { issuer, dataCentre, tenant, page } = options;
  if (tenant !== undefined && !/^[\w.-]{1,100}$/.test(tenant))
    return 'the tenant is an id, a domain, or one of common, organizations and consumers';
  if (page !== undefined && !(WEB_ADDRESS.test(page) && SECURE.test(page)))
    return 'the page is an address with https, such as https://www.example.com/signed-in';
  if (issuer !== undefined && !/^https:\/\/[^\s/?#@\\]+(?:\/\S*)?$/i.test(issuer))
    return 'the issuer is an address with https, such as https://login.swissid.ch/idp/oauth2';
  if (dataCentre !== undefined && !(zohoDataCentres as readonly string[]).includes(dataCentre))
    return `the dataCentre is one of ${zohoDataCentres.join(', ')}`;
  return undefined;
};
