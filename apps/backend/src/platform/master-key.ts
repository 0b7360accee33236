/** Whether it is 32 bytes as 64 hexadecimal digits or as base64. */
export const isMasterKey = (text: string): boolean =>
  /^[0-9a-f]{64}$/i.test(text) ||
  (/^[A-Za-z0-9+/_-]+=*$/.test(text) && Buffer.from(text, 'base64').length === 32);
