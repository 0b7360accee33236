/**
 * Limits concurrent probes with two lanes, so that fast servers never wait behind slow ones. A slow server uses the
 * patient lane until it answers quickly again. A probe that becomes slow while it runs changes lanes.
 *
 * Both lanes together take fewer places than the SSH pool has for new connections, so that an operator's command always
 * finds one.
 */
export interface LaneSizes {
  quick: number;
  patient: number;
  /** A probe that takes longer is slow. */
  quickMs: number;
}

export const laneSizes: LaneSizes = { quick: 8, patient: 8, quickMs: 2000 };

class Lane {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  tryTake(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  async take(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((enter) => this.waiting.push(enter));
  }

  give(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}

export class ProbeLanes {
  private readonly quick: Lane;
  private readonly patient: Lane;

  constructor(private readonly sizes: LaneSizes = laneSizes) {
    this.quick = new Lane(sizes.quick);
    this.patient = new Lane(sizes.patient);
  }

  /** @returns whether the work was quick: the lane for the next time */
  async run(quick: boolean, work: () => Promise<void>): Promise<boolean> {
    let lane = quick ? this.quick : this.patient;
    await lane.take();
    const began = performance.now();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (lane !== this.quick || !this.patient.tryTake()) return;
      lane.give();
      lane = this.patient;
    }, this.sizes.quickMs);
    try {
      await work();
    } finally {
      clearTimeout(timer);
      lane.give();
    }
    // Both checks are needed: a timer can fire slightly early, or not at all while the process is busy.
    return !late && performance.now() - began < this.sizes.quickMs;
  }
}
