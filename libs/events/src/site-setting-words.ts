/** How forms and the history speak of settings of locations and sites. Without their rules: every page has these words. */
export interface SettingWords {
  label: string;
  help: string;
  placeholder?: string;
  /** Choices by value. */
  choices?: Readonly<Record<string, string>>;
}

export const locationSettingWords = {
  singlePage: {
    label: 'Single-page app',
    help: 'Unknown paths get index.html of this location, so that the app can handle them.',
  },
  maxBody: {
    label: 'Largest upload in MB',
    help: 'A larger request is refused with 413. Default: 64.',
    placeholder: '64',
  },
  maxHeader: {
    label: 'Largest response header in kB',
    help: 'A larger one, usually by its cookies, becomes a 502. Default: 16.',
    placeholder: '16',
  },
  frames: {
    label: 'Frames',
    help: 'Which pages may show this one in a frame. Default: those of the same site, unless the app says something else.',
    choices: {
      deny: 'In no page',
      sameOrigin: 'In pages of the same site',
      app: 'As the app says; if it says nothing, in every page',
    },
  },
  corsOrigins: {
    label: 'Allowed origins',
    help: 'Pages of these sites may send cookies, too. Separate them with spaces. If empty: pages of every site, without cookies.',
    placeholder: 'https://shop.example.org https://admin.example.org',
  },
} as const satisfies Record<string, SettingWords>;

export const siteSettingWords = {
  hsts: {
    label: 'HTTPS only (HSTS)',
    help: 'Default: on, for a year.',
    choices: {
      on: 'On: browsers use only HTTPS for a year',
      off: 'Off: browsers forget it at their next visit',
      app: 'As the app says',
    },
  },
  trustedProxies: {
    label: 'Trusted proxies',
    help: 'Addresses or networks of proxies in front of this server. Only from them are the address of the visitor and the protocol believed. Separate them with spaces.',
    placeholder: '10.0.0.0/8 2001:db8::/32',
  },
  realAddress: {
    label: 'Address header',
    help: 'In which the trusted proxies name the address of the visitor. Default: X-Forwarded-For.',
    choices: {
      'X-Forwarded-For': 'X-Forwarded-For (most proxies)',
      'CF-Connecting-IP': 'CF-Connecting-IP (Cloudflare)',
      'X-Real-IP': 'X-Real-IP',
    },
  },
} as const satisfies Record<string, SettingWords>;

/** `HTTPS only (HSTS): As the app says, Trusted proxies: 10.0.0.0/8` */
export const settingsInWords = (
  table: Readonly<Record<string, SettingWords>>,
  values: Readonly<Record<string, unknown>>,
): string =>
  Object.entries(table)
    .filter(([name]) => values[name] !== undefined)
    .map(
      ([name, { label, choices }]) => `${label}: ${choices?.[String(values[name])] ?? String(values[name])}`,
    )
    .join(', ') || 'the default settings';
