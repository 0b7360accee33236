/** A domain name as people write it (RFC 3492): `xn--bcher-kva.example` is `bücher.example`. Pure. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700];
const LAST = 0x10ffff;

/** Bias adaptation (RFC 3492, section 6.1). */
const adapted = (delta: number, points: number, first: boolean): number => {
  let rest = Math.floor(delta / (first ? DAMP : 2));
  rest += Math.floor(rest / points);
  let bias = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
};

const digitOf = (letter: string): number => 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(letter);

/** `undefined` if the label is not valid Punycode. */
const decoded = (label: string): string | undefined => {
  const dash = label.lastIndexOf('-');
  const points = dash < 0 ? [] : Array.from(label.slice(0, dash), (letter) => letter.charCodeAt(0));
  let [at, code, bias, index] = [dash + 1, 128, 72, 0];
  while (at < label.length) {
    const before = index;
    for (let [weight, reach] = [1, BASE]; ; reach += BASE) {
      const digit = digitOf(label.charAt(at));
      at += 1;
      if (digit < 0 || index > LAST * 256) return undefined;
      index += digit * weight;
      const least = Math.min(Math.max(reach - bias, T_MIN), T_MAX);
      if (digit < least) break;
      weight *= BASE - least;
    }
    const size = points.length + 1;
    bias = adapted(index - before, size, before === 0);
    code += Math.floor(index / size);
    if (code > LAST) return undefined;
    index %= size;
    points.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...points);
};

/** The name in Unicode. Plain ASCII labels and invalid ones are unchanged. */
export const unicodeName = (serverName: string): string => {
  const labels = serverName.split('.').map((label) => {
    if (!label.startsWith('xn--')) return label;
    return decoded(label.slice('xn--'.length).toLowerCase()) ?? label;
  });
  return labels.join('.');
};
