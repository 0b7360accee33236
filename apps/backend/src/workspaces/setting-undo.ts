/** Undoes changes of the workspace's settings. Features whose settings include a secret register how to undo theirs. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EventData, Position, UndoableType } from '@quarterdeck/events';
import type { UndoNeed } from '@quarterdeck/projections';
import {
  Decisions,
  setBack,
  type UndoGiven,
  Undoing,
  type Undone,
  type UndoPlan,
} from '../platform/decisions';
import { notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { defaults, WorkspaceSettings } from './workspace-settings';
import { workspaceDecider, type Setting, type WorkspaceState } from './workspaces.decider';

type SettingType = Setting['type'] & UndoableType;

/** What to set, and how. */
export interface SettingBack<T extends SettingType> {
  data: EventData<T>;
  needs?: readonly UndoNeed[];
  notes?: readonly string[];
  /** @param revision of the workspace, as it was read */
  set(given: UndoGiven, meta: CommandMeta, revision: number): Promise<{ position: Position }>;
}

/**
 * @param back the present settings with the changed parts as they were before
 * @throws DomainError if it cannot be set again, for example because a secret was destroyed
 */
export type PlanSetting<T extends SettingType> = (
  back: EventData<T>,
  now: EventData<T>,
  undone: Undone,
) => SettingBack<T> | Promise<SettingBack<T>>;

@Injectable()
export class SettingUndo implements OnModuleInit {
  constructor(
    private readonly undoing: Undoing,
    private readonly decisions: Decisions,
    private readonly settings: WorkspaceSettings,
  ) {}

  onModuleInit(): void {
    const plain = [
      ...(['HealthChecksConfigured', 'SslMonitorConfigured'] as const),
      ...(['RetentionConfigured', 'SourceHostConfigured'] as const),
    ] as const;
    for (const type of plain) this.use(type, (back) => this.asItIs(type, back));
  }

  use<T extends SettingType>(type: T, plan: PlanSetting<T>): void {
    this.undoing.use([type], (undone) => this.plan(type, plan, undone));
  }

  private async plan<T extends SettingType>(
    type: T,
    setAgain: PlanSetting<T>,
    undone: Undone,
  ): Promise<UndoPlan> {
    const of = ({ settings }: WorkspaceState): EventData<T> => settings[type] ?? defaults[type];
    const { now, revision, back } = await setBack(this.decisions, workspaceDecider, undone, of);
    if (now.name === undefined) throw notFound('workspace');
    const { data, needs, notes, set } = await setAgain(back, of(now), undone);
    const work = {
      subject: { category: 'workspace', id: undone.id, name: now.name },
      would: [{ type, data } as Setting],
      carryOut: (given: UndoGiven, asker: CommandMeta) => set(given, asker, revision),
    };
    return { works: [work], ...(needs && { needs }), ...(notes && { notes }) };
  }

  /** For a setting without a secret. */
  asItIs<T extends SettingType>(type: T, data: EventData<T>): SettingBack<T> {
    return {
      data,
      set: (_, meta, revision) => this.settings.set({ type, data } as Setting, meta, revision),
    };
  }
}
