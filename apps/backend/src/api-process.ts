/** The process of one served API. It gets all it knows over IPC, and its environment is empty. */
import { serveApi } from './served/api-process.program';

serveApi();
