import { X509Certificate } from 'node:crypto';
import { testAuthority } from '../../../../testing/test-authority';
import { IssueCertificate } from '../domains';
import { meta } from '../platform/decisions/decider-testing';
import { issueCertificate, renewCertificate } from './certificate.kinds';
import { reportedFacts } from './certificate-facts-of';
import type { CertificateDeps } from './certificate-steps';

const now = new Date('2026-11-20T10:00:00.000Z');
const notAfter = new Date('2027-02-18T10:00:00.000Z');

// A run that is cancelled at that moment reaches no further step.
describe.each([
  ['issued', issueCertificate],
  ['renewed', renewCertificate],
])('that a certificate was %s', (_what, kindOf) => {
  const request = { kind: 'any', subject: { kind: 'domain', id: 'd', name: 'app.test' }, input: {} };
  const context = { run: 'r', request, reports: {}, attempts: [] };
  const { steps } = kindOf({} as CertificateDeps);
  const certbot = Array.isArray(steps) ? steps.find(({ name }) => name === 'certbot') : undefined;

  it('is recorded right after certbot has finished', async () => {
    const authority = await testAuthority();
    const { cert } = await authority.leaf({ names: ['app.test'], notBefore: now, notAfter });
    const report = { certificate: new X509Certificate(cert).raw.toString('base64'), state: 'issued' };
    const told = await certbot?.onSuccess?.(context, report, meta);
    expect(told).toBeInstanceOf(IssueCertificate);
    expect(told).toMatchObject({ id: 'd', data: reportedFacts(report) });
  });

  it('is not recorded if it cannot be read: the next step reports that', async () => {
    expect(certbot).toBeDefined();
    for (const report of [{}, { certificate: 'bm8gY2VydGlmaWNhdGU=' }])
      expect(await certbot?.onSuccess?.(context, report, meta)).toBeUndefined();
  });

  it.each([
    ['certbot', { wasted: 'sent' }, { issued: false }],
    ['certbot', { wasted: 'issued' }, { issued: true }],
    ['stop', { wasted: 'sent' }, { issued: false }],
    ['certbot', {}, undefined],
    ['install', { wasted: 'sent' }, undefined],
  ])('counts if it was cancelled in %s with %j', (step, report, counted) => {
    const order = { ...context, request: { ...request, input: { serverName: 'app.test' } } };
    const told = kindOf({} as CertificateDeps).onCancel?.(
      order,
      { step, report: { ...report }, reason: 'as asked' },
      meta,
    );
    if (!counted) expect(told).toBeUndefined();
    else
      expect(told).toMatchObject({
        type: 'RecordWastedOrder',
        id: 'd',
        data: { ...counted, names: ['app.test'] },
      });
  });
});
