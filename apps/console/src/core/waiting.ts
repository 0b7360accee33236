/**
 * A change that starts a run is refused while another run changes the same server. Whoever shows questions can offer to
 * wait in line instead. The call is then repeated, so no page needs to know about it.
 */
import type { ApiError } from './http';

type Offer = (msg: string) => Promise<boolean>;

let offer: Offer | undefined;

/** @returns a function that takes the offer back */
export const offerWaiting = (asks: Offer): (() => void) => {
  offer = asks;
  return () => {
    if (offer === asks) offer = undefined;
  };
};

/** Whether the person wants to wait for the run that is in the way. */
export const wantsToWait = async ({ status, msg, current }: ApiError): Promise<boolean> => {
  const mayWait = typeof current === 'object' && current !== null && 'mayWait' in current;
  return status === 409 && mayWait && offer !== undefined && (await offer(msg));
};
