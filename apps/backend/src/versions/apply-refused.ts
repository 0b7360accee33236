/** Nothing was changed, or everything up to a statement that the message names. */
export class ApplyRefused extends Error {
  override readonly name = 'ApplyRefused';
}
