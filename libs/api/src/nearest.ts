/** Letters to add, drop, change or swap; at most `most`, else undefined. */
const distance = (a: string, b: string, most: number): number | undefined => {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1)
      row[j] = Math.min(
        (before[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    before = row;
  }
  const found = before[b.length] ?? 0;
  return found <= most ? found : undefined;
};

/** The name that was probably meant: `first name`, `first_name` and `frstName` mean `firstName`. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9.]/g, '');
  const asked = plain(name).slice(0, 100);
  let best: { name: string; far: number } | undefined;
  for (const one of names) {
    const far = distance(asked, plain(one), Math.max(1, Math.floor(asked.length / 3)));
    if (far !== undefined && far < (best?.far ?? Infinity)) best = { name: one, far };
  }
  return best?.name;
}

/** `, did you mean firstName?`, or nothing. */
export const meant = (name: string, names: Iterable<string>): string => {
  const found = nearest(name, names);
  return found === undefined ? '' : `, did you mean ${found}?`;
};
