/** The program of an API that is served without a console. */
export { serveStandalone } from './served/standalone.program';
