import { isIP } from 'node:net';

/** An address such as 192.168.1.7, or a network such as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => {
  const [host = '', bits, more] = text.split('/');
  const version = isIP(host);
  if (version === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};
