/** The port of a served API: it follows the definition, and tries again while another program has it. */
import type { Server } from 'node:http';
import { sameData } from '../../platform/same-data';
import type { ListenAddress } from '../messages';
import type { ApiServer } from './api-server';

/** The process that is replaced leaves the port at any moment. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2000;

const problemOf = ({ host, port }: ListenAddress, error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return `another program has port ${port} at ${host}`;
    case 'EACCES':
      return `port ${port} must not be used by the account of this console`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine`;
    default:
      return `port ${port} at ${host} cannot be used: ${code ?? message}`;
  }
};

export class OwnPort {
  private wanted: ListenAddress | undefined;
  private server: Server | undefined;
  private pause = FIRST_PAUSE_MS;
  private again: NodeJS.Timeout | undefined;

  constructor(
    private readonly http: Pick<ApiServer, 'listen' | 'leave'>,
    /** Called when it listens, and for each other reason why it does not. */
    private readonly tell: (listens: ListenAddress, problem: string | undefined) => void,
  ) {}

  /** Ends after the first attempt. Requests under way at another address are answered. */
  async set(wanted: ListenAddress | undefined): Promise<void> {
    if (sameData(wanted, this.wanted)) return;
    this.wanted = wanted;
    clearTimeout(this.again);
    if (this.server) void this.http.leave(this.server);
    this.server = undefined;
    this.pause = FIRST_PAUSE_MS;
    if (wanted) await this.bind(wanted);
  }

  /** It stays where it is, and tries no more. */
  end(): void {
    clearTimeout(this.again);
    this.wanted = undefined;
  }

  private async bind(wanted: ListenAddress, before?: string): Promise<void> {
    try {
      const server = await this.http.listen(wanted);
      if (this.wanted !== wanted) return void this.http.leave(server);
      this.server = server;
      this.tell(wanted, undefined);
    } catch (error) {
      if (this.wanted !== wanted) return;
      const problem = problemOf(wanted, error);
      if (problem !== before) this.tell(wanted, problem);
      this.again = setTimeout(() => void this.bind(wanted, problem), this.pause);
      this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
    }
  }
}
