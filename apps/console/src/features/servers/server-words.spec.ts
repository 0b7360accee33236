import { hostKeyState } from '@quarterdeck/projections';
import { addressOf, deletionWord, domainsThatGo } from './server-words';

const key = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:a' };

describe('servers in words', () => {
  it('writes an address as ssh takes it, IPv6 included', () => {
    expect(addressOf({ username: 'root', host: 'web-1', port: 22 })).toBe('root@web-1:22');
    expect(addressOf({ username: 'root', host: '::1', port: 2222 })).toBe('root@[::1]:2222');
  });

  it('puts a refused key before a pinned one', () => {
    expect(hostKeyState({})).toBe('unknown');
    expect(hostKeyState({ hostKey: { ...key, since: '' } })).toBe('pinned');
    expect(hostKeyState({ hostKey: { ...key, since: '' }, refusedHostKey: { ...key, at: '' } })).toBe(
      'changed',
    );
  });

  it('asks for the alias before a deletion, or for the word when there is none (covers: SRV-11)', () => {
    expect(deletionWord({ alias: 'web-1' })).toBe('web-1');
    expect(deletionWord({ alias: '' })).toBe('alias');
  });

  it('says before a deletion which domains go along (covers: SRV-11)', () => {
    const warning = 'All associated domains are deleted with it';
    expect(domainsThatGo(undefined)).toBe(warning);
    const going = (total: number, ...names: string[]) =>
      domainsThatGo({ total, rows: names.map((serverName) => ({ serverName })) });
    expect(going(0)).toBe(`${warning} (it has none)`);
    expect(going(2, 'a.org', 'b.org')).toBe(`${warning} (2: a.org, b.org)`);
    expect(going(7, 'a', 'b', 'c', 'd', 'e')).toBe(`${warning} (7: a, b, c, d, e and 2 more)`);
  });
});
