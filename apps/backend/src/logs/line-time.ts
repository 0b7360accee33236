/** When a line of a file was written, as far as it says. Pure. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `+0100` as minutes. */
export const minutesOf = (zone: string): number => {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
};

const instantOf = (parts: readonly number[], minutes: number): string | undefined => {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  const at = Date.UTC(year, month - 1, day, hour, minute - minutes, second);
  return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
};

// [30/Nov/2026:20:45:20 +0100]
const ACCESS = /\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})\]/;
// 2026/11/30 20:45:20 in the time zone of the server
const ERROR = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)/;
const ISO = /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d))/;

/** @param zone minutes of the server's time zone, for times that do not name one */
export const timeOf = (text: string, zone: number): string | undefined => {
  const head = text.slice(0, 400);
  const error = ERROR.exec(head);
  if (error) return instantOf(error.slice(1).map(Number), zone);
  const access = ACCESS.exec(head);
  if (access) {
    const [, day, month = '', year, hour, minute, second, own = ''] = access;
    const parts = [year, months.indexOf(month) + 1, day, hour, minute, second].map(Number);
    return instantOf(parts, minutesOf(own));
  }
  const iso = ISO.exec(head)?.[1];
  const at = iso === undefined ? Number.NaN : Date.parse(iso.replace(',', '.').replace(' ', 'T'));
  return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
};
