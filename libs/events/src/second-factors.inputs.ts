/** Input schemas of the calls about a person's own second factors. The console's forms use the same schemas. */
import { z } from 'zod';
import { object, text, uuid } from './rules';

const factorName = text(60);

/** People type the code in two groups. */
const totpCode = text(20)
  .transform((code) => code.replaceAll(/\s/g, ''))
  .refine((code) => /^\d{6}$/.test(code), { error: 'a code of 6 digits is expected' });

export const totpGive = object({ code: totpCode });
export const totpConfirm = object({ id: uuid, name: factorName, code: totpCode });
/** The name, and the code if an authenticator app is added, as a form asks for them. */
export const totpForm = object({ name: factorName, code: totpCode });
export const passkeyForm = object({ name: factorName });
export const recoveryGive = object({ code: text(40) });
export const factorRename = object({ id: uuid, name: factorName });

/** What the browser's authenticator answers. The WebAuthn library checks what is in it. */
const encoded = (max: number) => text(max).regex(/^[\w-]+$/, { error: 'base64url is expected' });
const answerOf = <R extends z.ZodRawShape>(response: R) =>
  object({
    id: encoded(1400),
    rawId: encoded(1400),
    type: z.literal('public-key'),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
    clientExtensionResults: z.object({}),
    response: z.object({ clientDataJSON: encoded(4000), ...response }),
  });

export const passkeyConfirm = object({
  name: factorName,
  answer: answerOf({
    attestationObject: encoded(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export const passkeyGive = object({
  answer: answerOf({
    authenticatorData: encoded(4000),
    signature: encoded(4000),
    userHandle: encoded(200).optional(),
  }),
});
