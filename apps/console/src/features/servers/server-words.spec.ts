import { hostKeyState } from '@quarterdeck/projections';
import { addressOf, deletionWord, domainsThatGo } from './server-words';

const key = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:a' };

describe('server texts', () => {
  it('writes an address with user and port, and brackets around IPv6', () => {
    expect(addressOf({ username: 'root', host: 'web-1', port: 22 })).toBe('root@web-1:22');
    expect(addressOf({ username: 'root', host: '::1', port: 2222 })).toBe('root@[::1]:2222');
  });

  it('reports a refused key over a pinned one', () => {
    expect(hostKeyState({})).toBe('unknown');
    expect(hostKeyState({ hostKey: { ...key, since: '' } })).toBe('pinned');
    expect(hostKeyState({ hostKey: { ...key, since: '' }, refusedHostKey: { ...key, at: '' } })).toBe(
      'changed',
    );
  });

  it('asks to type the alias before a deletion, or the word "alias" if there is none (covers: SRV-11)', () => {
    expect(deletionWord({ alias: 'web-1' })).toBe('web-1');
    expect(deletionWord({ alias: '' })).toBe('alias');
  });

  it('lists the domains that are deleted with a server (covers: SRV-11)', () => {
    const warning = 'All associated domains are deleted with it';
    expect(domainsThatGo(undefined)).toBe(warning);
    const going = (total: number, ...names: string[]) =>
      domainsThatGo({ total, rows: names.map((serverName) => ({ serverName })) });
    expect(going(0)).toBe(`${warning} (it has none)`);
    expect(going(2, 'a.org', 'b.org')).toBe(`${warning} (2: a.org, b.org)`);
    expect(going(7, 'a', 'b', 'c', 'd', 'e')).toBe(`${warning} (7: a, b, c, d, e and 2 more)`);
  });
});
