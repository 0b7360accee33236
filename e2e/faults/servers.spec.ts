// covers: SRV-05, SRV-13
import { randomUUID } from 'node:crypto';
import type { ServerView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { startSshd } from '../../testing/sshd';
import { openWorld, registerAt, type World } from '../backend/world';
import { pause } from '../../testing/patience';
import { fault } from './fault';

let world: World;
let who: Operator;

beforeAll(async () => {
  world = await openWorld();
  who = await world.backend.signIn();
});
afterAll(() => world?.end());

fault({
  fault: 'the host key changed',
  must: 'nothing is sent past the check until an admin has accepted exactly that key',
  trial: async () => {
    const sshd = await startSshd();
    try {
      const id = await registerAt(who, sshd);
      expect((await who.post('server/execCmd', { id, cmdType: 1 })).body).toMatchObject({
        state: 'succeeded',
      });
      const pinned = sshd.hostKey.fingerprint;
      const changed = await sshd.swapHostKey();
      await sshd.restart();
      await pause(50);
      const refused = await who.post('server/execCmd', { id, cmdType: 1 });
      expect(JSON.stringify(refused.body)).toContain('host key has changed');
      const view = (await who.post<ServerView>('server/detail', { id })).body;
      expect([view.hostKey?.fingerprint, view.refusedHostKey?.fingerprint]).toEqual([
        pinned,
        changed.fingerprint,
      ]);
      expect(
        (await who.post('server/host-key/accept', { id, fingerprint: `${changed.fingerprint}x` })).status,
      ).not.toBe(200);
      expect(
        (await who.post('server/host-key/accept', { id, fingerprint: changed.fingerprint })).status,
      ).toBe(200);
      expect((await who.post('server/execCmd', { id, cmdType: 1 })).body).toMatchObject({
        state: 'succeeded',
      });
    } finally {
      await sshd.stop();
    }
  },
});

fault({
  fault: 'a server that is gone',
  must: 'it can be deleted all the same',
  trial: async () => {
    const sshd = await startSshd();
    const id = await registerAt(who, sshd, `gone-${randomUUID()}`);
    await sshd.stop();
    const { body } = await who.post<ServerView>('server/detail', { id });
    expect((await who.post('server/delete', { id, alias: body.alias })).status).toBe(200);
    expect((await who.post('server/detail', { id })).status).toBe(404);
  },
});
