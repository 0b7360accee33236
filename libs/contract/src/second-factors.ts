/** A person's own second factors, and giving one after the sign-in. */
import { factorKinds, proofKinds, type FactorLack } from '@quarterdeck/events';
import {
  byId,
  factorRename,
  nothing,
  passkeyConfirm,
  passkeyGive,
  recoveryGive,
  totpConfirm,
  totpGive,
} from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { empty, ignored } from './answers';
import { calls } from './call';
import { demo } from './demo';

/** Whether passkeys work, and at which origin; otherwise why not. */
const passkeySite = z.union([z.strictObject({ origin: z.string() }), z.strictObject({ reason: z.string() })]);

const factor = z.strictObject({
  id: z.string(),
  kind: z.enum(factorKinds),
  name: z.string(),
  addedAt: z.string(),
  lastUsedAt: z.string().optional(),
  /** The host name at which a passkey was made, if it does not work at the present one. */
  elsewhere: z.string().optional(),
});

/** `recoveryCodes`: shown once, with the first factor. */
const added = z.strictObject({ id: z.string(), recoveryCodes: z.array(z.string()).optional() });

/** Options of the WebAuthn standard, which the browser reads. */
const options = z.strictObject({ options: z.looseObject({ challenge: z.string() }) });

const either: readonly FactorLack[] = ['due', 'missing'];
/** With only the first factor, nobody may add a second one to a person who has one. */
const settingUp: readonly FactorLack[] = ['missing'];
const giving: readonly FactorLack[] = ['due'];

const passkey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
} as const;

export const secondFactors = calls('second-factor', 'member', {
  state: {
    summary: 'What the session lacks: the second factor, or one to be set up',
    method: 'GET',
    input: ignored,
    answer: z.strictObject({
      lacks: z.enum(['due', 'missing']).optional(),
      /** How the person may give it here. */
      ways: z.array(z.enum(proofKinds)),
      passkeys: passkeySite,
    }),
    shows: 'people',
    timeless: true,
    lacking: either,
  },
  list: {
    summary: 'Your own second factors, and how many recovery codes are left',
    input: nothing,
    answer: z.strictObject({
      factors: z.array(factor),
      recoveryCodesLeft: z.number(),
      /** The workspace demands a second factor, so the last one cannot be removed. */
      demanded: z.boolean(),
    }),
    shows: 'people',
    timeless: true,
  },
  totpBegin: {
    summary: 'Makes the secret of an authenticator app, which counts once a code has confirmed it',
    path: 'totp/begin',
    input: nothing,
    answer: z.strictObject({ id: z.string(), secret: z.string(), address: z.string() }),
    receipt: false,
    lacking: settingUp,
  },
  totpConfirm: {
    summary: 'Adds the authenticator app whose code confirms its secret',
    path: 'totp/confirm',
    input: totpConfirm,
    example: { id: demo.app, name: 'Phone', code: '123456' },
    answer: added,
    stales: 'people',
    receipt: false,
    lacking: settingUp,
  },
  passkeyBegin: {
    summary: 'Options with which the browser makes a passkey',
    path: 'passkey/begin',
    input: nothing,
    answer: options,
    receipt: false,
    lacking: settingUp,
  },
  passkeyConfirm: {
    summary: 'Adds the passkey that the browser has made',
    path: 'passkey/confirm',
    input: passkeyConfirm,
    example: {
      name: 'Laptop',
      answer: {
        ...passkey,
        response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
      },
    },
    answer: added,
    stales: 'people',
    receipt: false,
    lacking: settingUp,
  },
  rename: {
    summary: 'Renames one of your second factors',
    input: factorRename,
    example: { id: demo.secondFactor, name: 'Old phone' },
    answer: byId,
    stales: 'people',
    wide: true,
  },
  remove: {
    summary: 'Removes one of your second factors; the last one only if the workspace does not demand it',
    input: byId,
    example: { id: demo.secondFactor },
    answer: byId,
    stales: 'people',
    wide: true,
  },
  recoveryCodes: {
    summary: 'Makes new recovery codes, shown once; earlier ones no longer work',
    path: 'recovery-codes',
    input: nothing,
    answer: z.strictObject({ recoveryCodes: z.array(z.string()) }),
    stales: 'people',
    receipt: false,
  },
  giveTotp: {
    summary: 'Gives the second factor: a code of an authenticator app',
    path: 'give/totp',
    input: totpGive,
    example: { code: '123456' },
    answer: empty,
    receipt: false,
    timeless: true,
    lacking: giving,
  },
  giveRecovery: {
    summary: 'Gives the second factor: a recovery code, which works once',
    path: 'give/recovery',
    input: recoveryGive,
    example: { code: 'ABCD-EFGH-IJKL-MNOP' },
    answer: empty,
    stales: 'people',
    receipt: false,
    timeless: true,
    lacking: giving,
  },
  passkeyOptions: {
    summary: 'Options with which the browser asks for a passkey',
    path: 'give/passkey/begin',
    input: nothing,
    answer: options,
    receipt: false,
    timeless: true,
    lacking: giving,
  },
  givePasskey: {
    summary: 'Gives the second factor: the answer of a passkey',
    path: 'give/passkey',
    input: passkeyGive,
    example: {
      answer: {
        ...passkey,
        response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
      },
    },
    answer: empty,
    receipt: false,
    timeless: true,
    lacking: giving,
  },
});
