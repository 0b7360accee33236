/** Passkeys of this browser. The library loads with the first one. */
import { secondFactors, type Sent } from '@quarterdeck/contract';
import { untilLoaded } from '../../core/parts';

type Making = Sent<typeof secondFactors.passkeyConfirm>['answer'];
type Using = Sent<typeof secondFactors.givePasskey>['answer'];

const library = () => untilLoaded(() => import('@simplewebauthn/browser'));

export const makePasskey = async (options: object): Promise<Making> => {
  const { startRegistration } = await library();
  return (await startRegistration({ optionsJSON: options as never })) as Making;
};

export const usePasskeyOfBrowser = async (options: object): Promise<Using> => {
  const { startAuthentication } = await library();
  return (await startAuthentication({ optionsJSON: options as never })) as Using;
};

/** What a failure of the browser means. Its own messages are for programmers. */
export const wordsOfFailure = (error: unknown): string => {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'The browser gave no passkey: it was cancelled, took too long, or this device has none.';
  if (name === 'SecurityError') return 'The browser allows no passkey for this console at this address.';
  return error instanceof Error ? error.message : String(error);
};

/** Why passkeys do not work on this page, if they do not. */
export const unfit = (passkeys: { origin: string } | { reason: string }): string | undefined => {
  if ('reason' in passkeys) return passkeys.reason;
  const { origin } = window.location;
  if (passkeys.origin !== origin)
    return `Passkeys work only at ${passkeys.origin}. This page was opened at ${origin}.`;
  return 'PublicKeyCredential' in window ? undefined : 'This browser has no passkeys.';
};
