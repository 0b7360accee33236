/** Current DNS and TLS data of a name, and DNS records that the console adds. */
import { dnsHostAdd, ipFromHostname, sslExpiry } from '@quarterdeck/events/inputs';
import { dnsAnswer } from '@quarterdeck/projections';
import { z } from 'zod';
import { calls } from './call';

const lookUp = z.strictObject({
  outcome: dnsAnswer.shape.outcome,
  address: z.string().optional(),
  family: z.number().optional(),
  addresses: dnsAnswer.shape.addresses,
  timestamp: z.union([z.string(), z.number()]),
  reason: z.string().optional(),
});

const hostAdded = z.strictObject({
  added: z.boolean(),
  hostname: z.string(),
  replaced: z.string().optional(),
});

/** The certificate that a host presents now. */
const expiry = z.strictObject({
  valid: z.boolean(),
  daysRemaining: z.number().optional(),
  validTo: z.string().optional(),
  validFrom: z.string().optional(),
  issuer: z.string().optional(),
  names: z.array(z.string()).optional(),
  serial: z.string().optional(),
  protocol: z.string().optional(),
  /** Why it is invalid: code and message. */
  code: z.string().optional(),
  reason: z.string().optional(),
});

export const dns = calls('dns', 'admin', {
  expiry: {
    summary: 'The certificate that a host presents over TLS, and how long it is valid',
    path: 'ssl/expiry',
    costs: 'waiting',
    input: sslExpiry,
    example: { host: 'shop.example.org:8443' },
    answer: expiry,
    shows: [],
  },
  ipFromHostname: {
    summary: 'What DNS says about a host name now',
    method: 'GET',
    costs: 'waiting',
    input: ipFromHostname,
    example: { hostname: 'shop.example.org' },
    answer: lookUp,
    shows: [],
    volatile: true,
  },
  addHost: {
    summary: "Adds a DNS record for a name below the workspace's parent",
    path: 'host/add',
    costs: 'waiting',
    input: dnsHostAdd,
    example: { name: 'shop', SLD: 'example', TLD: 'org', ip: '203.0.113.7', replace: true },
    answer: hostAdded,
  },
});
