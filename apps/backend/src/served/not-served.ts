/** Why a served API does not answer. */

/** The API cannot answer at the moment. */
export class NotServed extends Error {
  constructor(
    message: string,
    /** Seconds. */
    readonly retryAfter: number,
  ) {
    super(message);
  }
}

/** Whether nothing was sent. */
export const isUnreached = (error: unknown): boolean => {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === 'connect' && (code === 'ECONNREFUSED' || code === 'ENOENT');
};
