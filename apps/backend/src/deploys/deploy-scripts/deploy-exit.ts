/** Exit codes in addition to the general ones: 69 the engine does not answer, 127 a program is missing. */
export const deployExit = {
  /** The registry refused the token. */
  login: 20,
  /** The image could not be pulled. */
  pull: 21,
  /** The container could not be started. */
  start: 22,
  /** The container ended by itself. */
  ended: 23,
  /** The health check did not succeed in time. */
  unhealthy: 24,
  /** The registry could not be reached, or does not work. */
  registry: 25,
  /** The package has other contents than the registry says, or is no npm package. */
  damaged: 26,
  /** The package has no page where one is expected. */
  noPage: 27,
  /** The image has a health check of its own, which did not succeed in time. */
  imageUnhealthy: 28,
  /** The container failed after the proxy had been switched to it. The proxy was switched back. */
  takenBack: 29,
  /** The registry wants a login, and the console has none for it. */
  noLogin: 30,
  /** The image is made for another kind of processor. */
  architecture: 31,
  /** The registry has no such image. */
  noImage: 32,
} as const;
