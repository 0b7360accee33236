/** Reads A records from a zone file: lines of the form `host ttl IN A ip`. Pure. */
export interface AddressRecord {
  host: string;
  ttl: number;
  ip: string;
}

const LINE = /^(\S{1,254})[ \t]+(\d{1,10})[ \t]+IN[ \t]+A[ \t]+(\d{1,3}(?:\.\d{1,3}){3})[ \t]*$/;

export const addressRecords = (zoneFile: string): AddressRecord[] =>
  zoneFile.split(/\r?\n/).flatMap((line) => {
    const [, host, ttl, ip] = LINE.exec(line) ?? [];
    return host !== undefined && ip !== undefined
      ? [{ host: host.replace(/\.$/, ''), ttl: Number(ttl), ip }]
      : [];
  });
