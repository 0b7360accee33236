const UNITS = {
  1000: ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'],
  1024: ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'],
} as const;

/** "23.5 GiB", "252 GiB"; with base 1000 "1.2 GB". */
export const bytesInWords = (bytes: number, base: 1000 | 1024 = 1024): string => {
  const power =
    bytes < base ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(base)), UNITS[base].length - 1);
  const count = bytes / base ** power;
  return `${power === 0 || count >= 100 ? Math.round(count) : Math.round(count * 10) / 10} ${UNITS[base][power]}`;
};
