/** A section of a creation is a run, and so is the undo of one. Their ends are recorded in the creation. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { CreationSection } from '@quarterdeck/events';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { RunEngine, type RunKind } from '../runs';
import { ContainerSections } from './container-sections';
import { creationsDecider, EndSection, EndUndo } from './creations.decider';
import { ProductSections } from './product-sections';
import { ServiceSections } from './service-sections';
import { SectionUndo, type UndoInput } from './section-undo';
import { codeIn, localStep, madeBy, madeIn, sectionInput, type SectionStep } from './section-work';

const HOUR_MS = 3_600_000;

export const sectionKind = (section: string): string =>
  `creation${section[0]?.toUpperCase() ?? ''}${section.slice(1)}`;
export const UNDO_KIND = 'undoCreation';

const kindOf = (
  section: CreationSection,
  steps: readonly SectionStep[],
  stillFits: NonNullable<RunKind['stillFits']>,
): RunKind => ({
  kind: sectionKind(section),
  // Of one creation, one section at a time.
  changes: true,
  steps: steps.map(localStep),
  stillFits,
  onSuccess: ({ run, request, ...context }, meta) => {
    const { creation } = sectionInput(request);
    return new EndSection(creation, { section, run, made: madeIn(context) }, meta);
  },
  onFailure: ({ run, request, ...context }, { reason, code, report }, meta) => {
    const { creation } = sectionInput(request);
    const attempts = [...context.attempts, { report }];
    const told = { made: madeIn({ attempts }), reason, code: codeIn({ attempts }, code) };
    return new EndSection(creation, { section, run, ...told }, meta);
  },
  onCancel: ({ run, request, ...context }, { reason, report }, meta) => {
    const { creation } = sectionInput(request);
    const made = madeIn({ attempts: [...context.attempts, { report }] });
    return new EndSection(creation, { section, run, made, reason: `cancelled ${reason}` }, meta);
  },
});

const undoKind = (undo: SectionUndo, stillFits: NonNullable<RunKind['stillFits']>): RunKind => {
  const inputOf = (request: { input: object }): UndoInput => request.input as unknown as UndoInput;
  const ended = (
    { run, request }: { run: string; request: { input: object } },
    { reason, report }: { reason: string; report: Record<string, string> },
    meta: ConstructorParameters<typeof EndUndo>[2],
  ) => {
    const { creation, section, made } = inputOf(request);
    // Without a list of what is left, it may be everything.
    const left = report['made'] === undefined ? made : madeBy({ report });
    return new EndUndo(creation, { section, run, made: left, reason }, meta);
  };
  return {
    kind: UNDO_KIND,
    changes: true,
    stillFits,
    steps: [
      {
        name: 'remove',
        on: 'console',
        timeoutMs: HOUR_MS,
        repeatable: true,
        perform: (context, io) => undo.perform(context, io),
      },
    ],
    onSuccess: ({ run, request }, meta) => {
      const { creation, section } = inputOf(request);
      return new EndUndo(creation, { section, run, made: [] }, meta);
    },
    onFailure: ended,
    onCancel: ended,
  };
};

@Injectable()
export class CreationRuns implements OnModuleInit {
  constructor(
    private readonly engine: RunEngine,
    private readonly product: ProductSections,
    private readonly service: ServiceSections,
    private readonly container: ContainerSections,
    private readonly undo: SectionUndo,
    private readonly decisions: Decisions,
  ) {}

  onModuleInit(): void {
    const all = { ...this.product.steps, ...this.service.steps, ...this.container.steps };
    for (const [section, steps] of Object.entries(all))
      this.engine.register(kindOf(section as CreationSection, steps, this.refuseUnlessFailed('run')));
    this.engine.register(undoKind(this.undo, this.refuseUnlessFailed('undoRun')));
  }

  /** A run that is retried by itself would make, or remove, what the creation no longer knows. */
  private refuseUnlessFailed(of: 'run' | 'undoRun'): NonNullable<RunKind['stillFits']> {
    const underWay = of === 'run' ? 'running' : 'undoing';
    return async (request, workspace, run) => {
      const { creation, section: name } = sectionInput(request);
      const { state } = await this.decisions.load(creationsDecider, creation, workspace);
      const section =
        state.is === 'known' && state.state !== 'abandoned'
          ? state.sections.find((one) => one.section === name)
          : undefined;
      if (section?.[of] !== run || (section.state !== 'failed' && section.state !== underWay))
        throw new DomainError(
          'unprocessable',
          'this section of the creation has changed since: go on from the page of the creation',
        );
    };
  }
}
