/** Ways in which people damage what certbot has for a name, each with the words of the refusal. */
const L = '/etc/letsencrypt';

export const broken: [what: string, damage: (name: string) => string, words: RegExp][] = [
  [
    'links became files',
    (name) => `cp -rL ${L}/live/${name} /tmp/copy; rm -r ${L}/live/${name}; mv /tmp/copy ${L}/live/${name}`,
    /copies instead of links/,
  ],
  [
    'the renewal file is cut off',
    (name) => `c=$(head -c 150 ${L}/renewal/${name}.conf); printf '%s' "$c" > ${L}/renewal/${name}.conf`,
    /is (?:damaged|incomplete): /,
  ],
  [
    'the renewal file is damaged',
    (name) => `echo 'half a [[line' >> ${L}/renewal/${name}.conf`,
    /is damaged: certbot cannot parse it/,
  ],
  [
    'the renewal file is empty',
    (name) => `: > ${L}/renewal/${name}.conf`,
    /there is no usable .*\/renewal\/.*\.conf/,
  ],
  ['the renewal file is gone', (name) => `rm ${L}/renewal/${name}.conf`, /has lost its renewal file/],
  [
    'the renewal file names no paths',
    (name) => `sed -i /^fullchain/d ${L}/renewal/${name}.conf`,
    /is incomplete/,
  ],
  [
    'the renewal file has no settings',
    (name) => `sed -i '/renewalparams/,$d' ${L}/renewal/${name}.conf`,
    /is incomplete: it has no section \[renewalparams\]/,
  ],
  ['a link is gone', (name) => `rm ${L}/live/${name}/cert.pem`, /\/cert\.pem is missing/],
  [
    'the live folder was made by hand',
    (name) =>
      `cp -L ${L}/live/${name}/*.pem /tmp/; rm -r ${L}/*/${name} ${L}/renewal/${name}.conf; mkdir ${L}/live/${name}; mv /tmp/*.pem ${L}/live/${name}`,
    /was made by hand/,
  ],
  [
    'only the archive is left',
    (name) => `rm -r ${L}/live/${name} ${L}/renewal/${name}.conf`,
    /archive\/.* is left over/,
  ],
  ['the archive is gone', (name) => `rm -r ${L}/archive/${name}`, /does not exist/],
  [
    'the links point into another folder',
    (name) =>
      `cp -r ${L}/archive/${name} /srv/old-${name}; for f in cert chain fullchain privkey; do ln -sf /srv/old-${name}/$f"1.pem" ${L}/live/${name}/$f.pem; done`,
    /points outside/,
  ],
  [
    'the renewal file names another folder',
    (name) =>
      `cp -a ${L}/live/${name} ${L}/live/${name}-old; sed -i 's,/live/${name}/,/live/${name}-old/,' ${L}/renewal/${name}.conf`,
    /names .*-old\/fullchain.pem, but sites read/,
  ],
  [
    'the renewal file names a folder that is not there',
    (name) => `sed -i 's,/live/${name}/,/live/gone/,' ${L}/renewal/${name}.conf`,
    /names .*\/gone\/fullchain.pem, but sites read/,
  ],
  [
    'the key is that of another certificate',
    (name) => `openssl ecparam -genkey -name prime256v1 -noout -out ${L}/archive/${name}/privkey1.pem`,
    /certbot cannot use the certificate/,
  ],
];
